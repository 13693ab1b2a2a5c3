// SPDX-License-Identifier: GPL-3.0-or-later
// Translation from files of text to BLEU: what is read, cut, dropped and refused, and a metric that
// counts every sentence once on any number of workers.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "engine/core/thread_count.h"
#include "engine/workloads/transformer/transformer_workload.h"
#include "engine/workloads/translation/bleu_evaluator.h"
#include "engine/workloads/translation/translation_batches.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"

#include <algorithm>
#include <any>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

/// Writes what it was given: the reference of each sentence, or that with a token left out.
class KnowsTheAnswer final : public Translator
{
public:
    KnowsTheAnswer(const TranslationData& data, bool forgetful) : data_(data), forgetful_(forgetful)
    {
    }
    LossResult loss(Tape&, const Batch&, const LossParams&, bool) override { return {}; }
    ParameterSet& parameters() noexcept override { return parameters_; }
    const ComputePrecision& precision() const noexcept override { return precision_; }

    std::unique_ptr<StepDecoder> decoder(Backend& backend, const Batch& batch) override
    {
        class Decoder final : public StepDecoder
        {
        public:
            Decoder(Backend& backend, const KnowsTheAnswer& owner, std::vector<int64_t> numbers)
                : backend_(backend), owner_(owner), numbers_(std::move(numbers))
            {
            }
            DecodedStep step(std::span<const int32_t> tokens,
                             std::span<const int32_t> parents) override
            {
                std::vector<int64_t> rows;
                for (const int32_t parent : parents)
                    rows.push_back(at_ == 0 ? numbers_[size_t(parent)] : rows_[size_t(parent)]);
                rows_ = rows;
                const int64_t V = owner_.data_.vocabulary;
                DecodedStep out;
                out.logits =
                    Tensor::empty({int64_t(tokens.size()), V}, DType::F32, backend_.allocator());
                std::ranges::fill(out.logits.f32(), 0.0f);
                for (size_t i = 0; i < rows_.size(); ++i) {
                    std::vector<int32_t> answer(owner_.data_.eval[rows_[i]].target.begin(),
                                                owner_.data_.eval[rows_[i]].target.end());
                    if (owner_.forgetful_ && answer.size() > 1 && rows_[i] % 3 == 0)
                        answer.pop_back();
                    const int32_t next = at_ < answer.size() ? answer[at_] : workloads::kEndToken;
                    out.logits.f32()[i * size_t(V) + size_t(next)] = 50.0f;
                }
                ++at_;
                return out;
            }

        private:
            Backend& backend_;
            const KnowsTheAnswer& owner_;
            std::vector<int64_t> numbers_, rows_;
            size_t at_ = 0;
        };
        return std::make_unique<Decoder>(backend, *this,
                                         std::any_cast<std::vector<int64_t>>(batch.notes));
    }

private:
    const TranslationData& data_;
    bool forgetful_;
    ParameterSet parameters_;
    ComputePrecision precision_;
};

} // namespace

class TranslationWorkloadTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;
    TransformerRecipe m_recipe;

    void write(const QString& name, const QByteArray& text)
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    /// Eight pairs to train, three to evaluate; all their characters are known.
    void writeSet()
    {
        QByteArray en, de;
        for (int i = 0; i < 8; ++i) {
            en += "A man walks, number 89" + QByteArray::number(i) + (i == 3 ? "!" : ".") + "\n";
            de += "Ein Mann läuft, Nummer 89" + QByteArray::number(i) + (i == 3 ? "!" : ".") + "\n";
        }
        write("train.en", en);
        write("train.de", de);
        write("eval.en", "A man walks.\nA man!\nNumber 3, a man walks, number 4.\n");
        write("eval.de", "Ein Mann läuft.\nEin Mann!\nNummer 3, ein Mann läuft, Nummer 4.\n");
    }
    RunConfig config() const
    {
        RunConfig c;
        c.model = "transformer_tiny";
        c.data.source = DataSource::Files;
        c.data.path = m_folder->path().toStdString();
        return c;
    }
    TranslationData load() const { return loadTranslation(config(), m_recipe, 2); }
    std::string refusal() const
    {
        try {
            load();
        } catch (const InvalidArgument& e) {
            return e.what();
        }
        return {};
    }
    bool refuses(const char* part) const { return refusal().find(part) != std::string::npos; }

private slots:
    void initTestCase() { setComputeThreads(1); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_recipe = {};
        m_recipe.merges = 60;
        writeSet();
    }

    void sentencesComeBack()
    {
        const TranslationData data = load();
        QCOMPARE(data.train.size(), int64_t{8});
        QCOMPARE(data.eval.size(), int64_t{3});
        QCOMPARE(data.references[1], std::string("Ein Mann!"));
        for (int64_t i = 0; i < 3; ++i)
            QCOMPARE(data.tokenizer->decode(data.eval[i].target), data.references[size_t(i)]);
        QVERIFY(data.bytesRead > 300);
        QVERIFY(data.remarks.empty());
    }

    void oneFileWithTabsWillDo()
    {
        const TranslationData two = load();
        for (const char* part : {"train", "eval"}) {
            QFile en(m_folder->filePath(QString(part) + ".en")),
                de(m_folder->filePath(QString(part) + ".de"));
            QVERIFY(en.open(QIODevice::ReadOnly) && de.open(QIODevice::ReadOnly));
            const auto source = en.readAll().split('\n'), target = de.readAll().split('\n');
            QByteArray both;
            for (qsizetype i = 0; i + 1 < source.size(); ++i)
                both += source[i] + '\t' + target[i] + '\n';
            en.remove();
            de.remove();
            write(QString(part) + ".tsv", both);
        }
        const TranslationData one = load();
        QCOMPARE(one.vocabulary, two.vocabulary);
        for (int64_t i = 0; i < 8; ++i)
            QVERIFY(std::ranges::equal(one.train[i].target, two.train[i].target));
    }

    void longSentences()
    {
        QByteArray longLine = "A man";
        for (int i = 0; i < 60; ++i)
            longLine += " walks";
        write("train.en", "A man walks.\n" + longLine + "\n");
        write("train.de", "Ein Mann läuft.\nEin Mann\n");
        m_recipe.maxTokens = 30;
        TranslationData data = load();
        QCOMPARE(data.train.size(), int64_t{1});
        QCOMPARE(data.remarks.size(), size_t{2}); // and that one pair is trained on
        QVERIFY(data.remarks[0].starts_with("1 sentence pair above 30 tokens left out"));
        m_recipe.truncate = true;
        data = load();
        QCOMPARE(data.train.size(), int64_t{2});
        QCOMPARE(data.train[1].source.size(), size_t{30});
        m_recipe.truncate = false;
        m_recipe.maxTokens = 2;
        QVERIFY(refuses("all 2 training pairs"));
    }

    void badFiles()
    {
        write("train.de", "Ein Mann läuft.\n");
        QVERIFY2(refuses("8"), refusal().c_str());
        writeSet();
        write("eval.de", "Ein Mann läuft.\n\nNummer 3.\n");
        QVERIFY2(refuses("eval.de"), refusal().c_str());
        m_recipe.dropOneSided = true;
        QCOMPARE(load().eval.size(), int64_t{2});
        m_recipe.dropOneSided = false;
        write("eval.de", "Ein Mann l\xe4uft.\nEin Mann!\nNummer 3.\n");
        QVERIFY2(refuses("eval.de:1"), refusal().c_str());
        QFile::remove(m_folder->filePath("eval.de"));
        QVERIFY2(refuses("has no eval.de"), refusal().c_str());
        QVERIFY(QFile::link(QStringLiteral("/no/such/text"), m_folder->filePath("eval.de")));
        QVERIFY2(refuses("eval.de is a link to /no/such/text, which is not there"),
                 refusal().c_str());
        QFile::remove(m_folder->filePath("eval.de"));
        writeSet();
        write("codes", "not codes\n");
        QVERIFY2(refuses("codes"), refusal().c_str());
    }

    void countsWhatIsAlsoTrainedOn()
    {
        // The first twice among what is evaluated; of the second only the source.
        write("train.en", "A man walks.\nA man!\nA man!\n");
        write("train.de", "Ein Mann läuft.\nEin Mann!\nEin Mann!\n");
        write("eval.en", "A man walks.\nA man!\nA man walks.\n");
        write("eval.de", "Ein Mann läuft.\nEin Mann läuft.\nEin Mann läuft.\n");
        const TranslationData data = load();
        QCOMPARE(alsoTrainedOn(data.train, data.eval), int64_t{2});
        QCOMPARE(alsoTrainedOn(data.eval, data.train), int64_t{1});
        QCOMPARE(alsoTrainedOn({}, data.eval), int64_t{0});
    }

    /// Read from a prepared set everything is as it was read from the text.
    void preparedIsWhatTheTextSays()
    {
        write("train.en", "A man walks.\n" + QByteArray("A man").repeated(40) + "\nA man!\n");
        write("train.de", "Ein Mann läuft.\nEin Mann\nEin Mann!\n");
        const QString kept = m_folder->filePath("kept");
        for (const bool lowerCase : {false, true}) {
            m_recipe.lowerCase = lowerCase;
            m_recipe.maxTokens = 30;
            const TranslationData text = load();
            QVERIFY(!text.prepared);
            qputenv("SCALEBENCH_PREPARED_DIR", kept.toLocal8Bit());
            prepareTranslation(config(), m_recipe, 2);
            const TranslationData set = load();
            qputenv("SCALEBENCH_PREPARED_DIR", "off");
            QVERIFY(set.prepared);
            QCOMPARE(set.vocabulary, text.vocabulary);
            QCOMPARE(set.tokenizer->vocabulary().fingerprint(),
                     text.tokenizer->vocabulary().fingerprint());
            QCOMPARE(set.references, text.references);
            QCOMPARE(set.remarks, text.remarks);
            QCOMPARE(set.remarks.size(), size_t{2});
            QCOMPARE(set.remarks.back(), std::string("2 of the 3 evaluation pairs are also trained "
                                                     "on: BLEU flatters by them"));
            for (const auto& [a, b] :
                 {std::pair(&set.train, &text.train), std::pair(&set.eval, &text.eval)}) {
                QCOMPARE(a->size(), b->size());
                for (int64_t i = 0; i < a->size(); ++i) {
                    QVERIFY(std::ranges::equal((*a)[i].source, (*b)[i].source));
                    QVERIFY(std::ranges::equal((*a)[i].target, (*b)[i].target));
                }
            }
            for (int64_t i = 0; i < 2; ++i) // characters that are known
                QCOMPARE(set.tokenizer->decode(set.eval[i].target), set.references[size_t(i)]);
        }
        QCOMPARE(QDir(kept).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);
    }

    /// At whatever point, nothing is left of it, and the next run makes the set.
    void preparingCanBeStopped()
    {
        const QString kept = m_folder->filePath("kept");
        qputenv("SCALEBENCH_PREPARED_DIR", kept.toLocal8Bit());
        const auto folders = [&] {
            return QDir(kept).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
        };
        int stops = 0;
        for (bool stopped = true; stopped; ++stops) {
            QVERIFY(stops < 1000);
            int told = 0;
            stopped = false;
            try {
                prepareTranslation(config(), m_recipe, 2, [&](int64_t done, int64_t total) {
                    QVERIFY(done <= total);
                    if (++told > stops)
                        throw Error("stopped", "enough");
                });
            } catch (const Error& e) {
                QCOMPARE(e.code(), std::string("stopped"));
                stopped = true;
                QCOMPARE(folders(), 0);
            }
        }
        QVERIFY(stops > 10); // checksums, counting, merges, cutting
        QCOMPARE(folders(), 1);
        QVERIFY(load().prepared);
        qputenv("SCALEBENCH_PREPARED_DIR", "off");
        try {
            loadTranslation(config(), m_recipe, 1,
                            [](int64_t, int64_t) { throw Error("stopped", "enough"); });
            QFAIL("read without asking");
        } catch (const Error& e) {
            QCOMPARE(e.code(), std::string("stopped"));
        }
    }

    /// More pairs than are held at once: none is lost at the seams, in either way of reading.
    void largeTextsComeInPieces()
    {
        QByteArray english, german;
        constexpr int kPairs = 40000;
        for (int i = 0; i < kPairs; ++i) {
            const QByteArray number = QByteArray::number(i);
            english += "Number " + number + ".\n";
            german += i == 20000 ? QByteArray("\n") : "Nummer " + number + ".\n";
        }
        write("train.en", english);
        write("train.de", german);
        m_recipe.dropOneSided = true;
        const QString kept = m_folder->filePath("kept");
        for (const bool prepared : {false, true}) {
            if (prepared) {
                qputenv("SCALEBENCH_PREPARED_DIR", kept.toLocal8Bit());
                prepareTranslation(config(), m_recipe, 2);
            }
            const TranslationData data = load();
            qputenv("SCALEBENCH_PREPARED_DIR", "off");
            QCOMPARE(data.prepared, prepared);
            QCOMPARE(data.train.size(), int64_t{kPairs - 1});
            for (int i = 0; i < kPairs - 1; ++i) {
                const std::string number = std::to_string(i < 20000 ? i : i + 1);
                QCOMPARE(data.tokenizer->decode(data.train[i].source), "Number " + number + ".");
                QCOMPARE(data.tokenizer->decode(data.train[i].target), "Nummer " + number + ".");
            }
            QCOMPARE(data.remarks,
                     std::vector<std::string>{"1 pair blank in one language left out (training)"});
        }
    }

    void preparedSetsAreNotBelieved_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("bytes");
        const auto numbers = [](std::vector<int64_t> values) {
            return QByteArray(reinterpret_cast<const char*>(values.data()),
                              qsizetype(values.size() * sizeof(int64_t)));
        };
        QTest::newRow("a token that is none") << "train.source.tokens" << QByteArray(4000, '\x7f');
        QTest::newRow("a sentence before its beginning")
            << "train.target.ends" << numbers({5, 3, 40, 50, 60, 70, 80, 90});
        QTest::newRow("fewer sentences") << "train.target.ends" << numbers({});
        QTest::newRow("a sentence behind the end")
            << "eval.source.ends" << numbers({1, 2, int64_t{1} << 60});
        QTest::newRow("references") << "references" << QByteArray("one\n");
        QTest::newRow("vocabulary") << "vocabulary" << QByteArray("<pad>\n");
        QTest::newRow("codes") << "codes" << QByteArray("none\n");
    }
    void preparedSetsAreNotBelieved()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, bytes);
        const QString kept = m_folder->filePath("kept");
        qputenv("SCALEBENCH_PREPARED_DIR", kept.toLocal8Bit());
        prepareTranslation(config(), m_recipe, 1);
        const QString set = QDir(kept).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
        QVERIFY(QFile::exists(kept + "/" + set + "/" + file));
        write("kept/" + set + "/" + file, bytes);
        const std::string said = refusal();
        QVERIFY2(said.find(set.toStdString()) != std::string::npos, said.c_str());
        prepareTranslation(config(), m_recipe, 1); // it is only a cache: made again
        const TranslationData whole = load();
        qputenv("SCALEBENCH_PREPARED_DIR", "off");
        QVERIFY(whole.prepared);
    }

    void vocabularyMustHold()
    {
        m_recipe.vocabulary = 16;
        const auto workload = TransformerRecipe(m_recipe).make(config());
        RunConfig c = config();
        c.recipe = std::make_shared<TransformerRecipe>(m_recipe);
        try {
            c.recipe->make(c)->measure();
            QFAIL("measured");
        } catch (const InvalidArgument& e) {
            QVERIFY(std::string(e.what()).find("\"model.vocabulary\" is 16") != std::string::npos);
        }
    }

    /// The sum over the workers is the whole set's, to the last bit.
    void everySentenceCountsOnce()
    {
        QByteArray en, de;
        for (int i = 0; i < 23; ++i) {
            const QByteArray n = QByteArray::number(i * 37);
            en += "A man walks" + QByteArray(i % 5, '!') + " number " + n + "\n";
            de += "Ein Mann läuft" + QByteArray(i % 5, '!') + " Nummer " + n + "\n";
        }
        write("eval.en", en);
        write("eval.de", de);
        const TranslationData data = load();
        const auto backend = makeCpuBackend();
        CachingAllocator memory;
        const auto evaluate = [&](int workers, bool forgetful) {
            std::vector<std::string> partials;
            const BatchLayout layout = [](const std::vector<PairView>&, Allocator&, Batch&) {};
            for (int rank = 0; rank < workers; ++rank) {
                const TranslationEvaluation batches(data.eval, 4, {rank, workers}, layout, memory);
                KnowsTheAnswer network(data, forgetful);
                BleuEvaluator evaluator(data, m_recipe);
                for (int64_t b = 0; b < batches.batches(0); ++b) {
                    Batch batch;
                    batches.fill(0, b, batch);
                    evaluator.add(*backend, network, batch);
                }
                partials.push_back(evaluator.partial());
            }
            return BleuEvaluator(data, m_recipe).merge(partials).leading();
        };
        QCOMPARE(evaluate(1, false), 100.0);
        const double forgetful = evaluate(1, true);
        QVERIFY(forgetful > 30 && forgetful < 99);
        for (const int workers : {2, 3, 7, 30})
            QCOMPARE(evaluate(workers, true), forgetful);
    }
};

QTEST_GUILESS_MAIN(TranslationWorkloadTest)
#include "translation_workload_test.moc"
