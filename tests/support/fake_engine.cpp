// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for scalebench-engine under a real mpirun: writes a results stream in real time and
// misbehaves as the environment asks. No MPI, no Qt, so it starts in a millisecond.
//
// FAKE_ENGINE_MODE      ok (default), not_reached, diverged, kill (rank 1 kills itself in mid-run),
//                       kill_once (likewise, at the first attempt only), kill_at_start (before
//                       anything is written),
//                       exit (rank 1 ends with code 7), hang (stops writing in mid-run), silent
//                       (never writes), stubborn (hangs and ignores USR1 and TERM), split (every
//                       line in two writes), deaf (hears no stop and ends as it would), foreign
//                       (NaN and foreign lines between the records), linger (closing record, but
//                       never ends), stubborn_child (as hang, with a child that ignores TERM),
//                       busy_once (at the first attempt other processes keep the host busy)
// FAKE_ENGINE_EPOCHS    epochs until the target (default 3)
// FAKE_ENGINE_STEPS     steps per epoch (default 5)
// FAKE_ENGINE_STEP_MS   time of a step (default 10)
// FAKE_ENGINE_CHECKPOINT_KB  a checkpoint of so many KiB after each epoch (default 0: none), with
//                       which --resume goes on
// FAKE_ENGINE_HOLD      a file: the last epoch does not begin while it is there
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace {

volatile std::sig_atomic_t g_stop = 0;

int numberFrom(const char* name, int fallback)
{
    const char* text = std::getenv(name);
    return text && *text ? std::atoi(text) : fallback;
}

/// A signal does not shorten it: no step ends early because somebody wants to stop.
void pauseMs(int ms)
{
    using namespace std::chrono;
    const auto end = steady_clock::now() + milliseconds(ms);
    while (steady_clock::now() < end)
        ::usleep(useconds_t(
            duration_cast<microseconds>(end - steady_clock::now()).count() % 900'000 + 1));
}

/// All of it, or about its first `most` bytes.
std::string contentOf(const std::string& path, size_t most = std::string::npos)
{
    std::string text;
    const int fd = ::open(path.c_str(), O_RDONLY);
    char buffer[65536];
    for (ssize_t n; fd >= 0 && text.size() < most && (n = ::read(fd, buffer, sizeof buffer)) > 0;)
        text.append(buffer, size_t(n));
    if (fd >= 0)
        ::close(fd);
    return text;
}

/// The number behind "key": in a checkpoint's header.
long long numberIn(const std::string& text, const char* key)
{
    const size_t at = text.find(std::string("\"") + key + "\":");
    return at == std::string::npos ? 0 : std::atoll(text.c_str() + at + std::strlen(key) + 3);
}

unsigned crc32(const std::string& bytes)
{
    unsigned crc = ~0u;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? 0xEDB88320u ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

std::string littleEndian(unsigned long long value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += char(value >> 8 * i & 255);
    return text;
}

/// As engine/core/checkpoint.h has it: written aside, renamed, the last one kept.
void writeCheckpoint(const std::string& dir, const std::string& fields, size_t kib)
{
    const std::string folder = dir + "/checkpoint", count = std::to_string(kib * 256);
    const std::string header = "{\"arrays\":[{\"count\":" + count + "}]," + fields + "}";
    const std::string text =
        "SBCKPT1\n" + littleEndian(header.size(), 8) + header + littleEndian(crc32(header), 4);
    ::mkdir(folder.c_str(), 0777);
    const int fd = ::open((folder + "/writing.sbckpt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || ::write(fd, text.data(), text.size()) != ssize_t(text.size()) ||
        ::ftruncate(fd, off_t(text.size() + kib * 1024)) != 0) // a hole: no time for zeros
        std::_Exit(3);
    ::close(fd);
    ::rename((folder + "/latest.sbckpt").c_str(), (folder + "/previous.sbckpt").c_str());
    ::rename((folder + "/writing.sbckpt").c_str(), (folder + "/latest.sbckpt").c_str());
}

struct Stream {
    int fd = -1;
    int sequence = 0;
    long long bytes = 0;
    bool split = false;
    bool foreign = false;

    void raw(const std::string& text) const
    {
        if (::write(fd, text.data(), text.size()) < 0)
            std::_Exit(3);
    }

    void record(const char* space, const char* event, const char* key, const std::string& value,
                const std::string& metadata = {})
    {
        using namespace std::chrono;
        const long long now =
            duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
        std::string line = ":::MLLOG {\"namespace\":\"";
        line += space;
        line += "\",\"time_ms\":" + std::to_string(now) + ",\"event_type\":\"" + event +
                "\",\"key\":\"" + key + "\",\"value\":" + value + ",\"metadata\":{" + metadata +
                (metadata.empty() ? "" : ",") + "\"seq\":" + std::to_string(sequence++) + "}}\n";
        if (foreign)
            raw("a library says hello\n:::MLLOG {\"key\":\"step\",\"value\":{\"loss\":NaN}}\n[rank "
                "0] ");
        if (split) {
            raw(line.substr(0, line.size() / 2));
            pauseMs(2);
            raw(line.substr(line.size() / 2));
        } else {
            raw(line);
        }
        bytes += (long long)(line.size());
    }
    void ours(const char* key, const std::string& value)
    {
        record("scalebench", "POINT_IN_TIME", key, value);
    }
};

[[noreturn]] void hangForEver()
{
    for (;;)
        ::pause();
}

void setUpSignals(const std::string& mode)
{
    if (mode == "stubborn" || mode == "deaf") {
        std::signal(SIGUSR1, SIG_IGN);
        std::signal(SIGTERM, SIG_IGN);
        return;
    }
    if (mode == "deaf_at_first") { // as if mpirun had not passed on the first
        std::signal(SIGUSR1, [](int) {
            static volatile std::sig_atomic_t heard = 0;
            g_stop = heard;
            heard = 1;
        });
        return;
    }
    std::signal(SIGUSR1, [](int) { g_stop = 1; });
}

struct Fake {
    std::string mode;
    std::string hold;
    int rank = 0, size = 1, epochs = 3, steps = 5, stepMs = 10;
    Stream out;
    int samples = 0, first = 1, checkpointKiB = 0;
    std::string dir;
    bool resumed = false;

    /// The stream up to the checkpoint, from the attempt that was put aside.
    void resume()
    {
        const std::string checkpoint = contentOf(dir + "/checkpoint/latest.sbckpt", 1000);
        out.sequence = int(numberIn(checkpoint, "records"));
        out.bytes = numberIn(checkpoint, "bytes");
        int attempt = 0;
        const std::string stream = dir + "/result_0.txt";
        while (::access((stream + ".attempt" + std::to_string(attempt + 1)).c_str(), F_OK) == 0)
            ++attempt;
        const std::string before = contentOf(stream + ".attempt" + std::to_string(attempt));
        if (before.size() < size_t(out.bytes)) {
            std::fprintf(stderr, "the stream does not hold the records up to the checkpoint\n");
            std::_Exit(4);
        }
        out.raw(before.substr(0, size_t(out.bytes)));
        out.ours("resume", "{\"epoch\":" + std::to_string(first) + ",\"step\":" +
                               std::to_string((first - 1) * steps) + ",\"pause_ms\":1}");
    }

    void save(int epoch)
    {
        writeCheckpoint(dir,
                        "\"epoch\":" + std::to_string(epoch + 1) +
                            ",\"step\":" + std::to_string(epoch * steps) +
                            ",\"stream\":{\"bytes\":" + std::to_string(out.bytes) +
                            ",\"records\":" + std::to_string(out.sequence) + "}",
                        size_t(checkpointKiB));
    }

    void preamble()
    {
        out.ours("stream", R"({"version":1,"engine":"fake","run_id":"fake","study":"fake"})");
        out.record("", "POINT_IN_TIME", "submission_benchmark", "\"resnet\"");
        out.record("", "INTERVAL_START", "init_start", "null");
        out.ours("worker",
                 "{\"rank\":0,\"local_rank\":0,\"node\":0,\"host\":\"here\",\"pid\":" +
                     std::to_string(::getpid()) +
                     ",\"device\":\"cpu\",\"device_name\":\"fake\",\"threads\":1,\"cpus\":\"0\"}");
        out.ours("setup",
                 R"({"model":"resnet20","compute_precision":"fp32","metric":"top1_accuracy"})");
        out.record("", "INTERVAL_END", "init_stop", "null");
        out.record("", "INTERVAL_START", "run_start", "null");
    }

    /// As while another run uses the host, until it is let go.
    void waitForTurn()
    {
        out.ours("warning", R"({"code":"waiting","message":"here is used by another run"})");
        out.ours("progress", R"({"phase":"waiting","done":0,"total":0})");
        while (::access(hold.c_str(), F_OK) == 0 && !g_stop)
            pauseMs(10);
    }

    void step(int epoch, int step)
    {
        const int number = (epoch - 1) * steps + step;
        samples = number * 128;
        char value[400];
        std::snprintf(
            value, sizeof value,
            R"({"step":%d,"epoch":%.6f,"samples":%d,"loss":%.6f,"learning_rate":0.1,)"
            R"("samples_per_s":1000.5,"step_ms":%d,"compute_ms":8,"comm_ms":1,"input_ms":0.5,"other_ms":0.5})",
            number, epoch - 1 + double(step) / steps, samples, 2.3 / number, stepMs);
        out.ours("step", value);
    }

    void finish(const char* status, const char* reason, int epoch)
    {
        out.record("", "INTERVAL_END", "run_stop", "null",
                   std::string("\"status\":\"") + status + "\",\"reason\":\"" + reason +
                       "\",\"epoch_num\":" + std::to_string(epoch) +
                       ",\"samples_count\":" + std::to_string(samples));
    }

    /// In the middle of the second epoch.
    void misbehave()
    {
        if (mode == "kill" && rank == size - 1) {
            std::fprintf(stderr, "the last words of rank %d\n", rank);
            ::raise(SIGKILL);
        }
        if (mode == "exit" && rank == size - 1) {
            std::fprintf(stderr, "cannot go on\n");
            std::_Exit(7);
        }
        if ((mode == "kill" || mode == "exit") && size > 1)
            hangForEver(); // as a rank that waits for the lost one in a collective
        if (mode == "diverged" && rank == 0) {
            out.ours(
                "error",
                R"({"code":"diverged","message":"the loss is not a number at step 7","rank":0,"host":"here"})");
            finish("aborted", "error", 1);
            std::_Exit(3);
        }
        if (mode == "stubborn_child" && rank == 0 && ::fork() == 0) {
            std::signal(SIGTERM, SIG_IGN);
            std::signal(SIGUSR1, SIG_IGN);
            hangForEver();
        }
        if (mode == "hang" || mode == "stubborn" || mode == "stubborn_child")
            hangForEver();
    }

    int run()
    {
        if (mode == "silent")
            hangForEver();
        if (mode == "kill_at_start" && rank == size - 1)
            ::raise(SIGKILL);
        if (mode == "kill_at_start")
            hangForEver();
        if (resumed)
            first = int(numberIn(contentOf(dir + "/checkpoint/latest.sbckpt", 1000), "epoch"));
        if (mode == "waits")
            waitForTurn();
        if (rank == 0)
            resumed ? resume() : preamble();
        const int last = mode == "not_reached" ? epochs + 1 : epochs;
        for (int epoch = first; epoch <= last; ++epoch) {
            const std::string tag = "\"epoch_num\":" + std::to_string(epoch);
            if (rank == 0)
                out.record("", "INTERVAL_START", "epoch_start", "null", tag);
            while (epoch == last && ::access(hold.c_str(), F_OK) == 0 && !g_stop)
                pauseMs(10);
            for (int s = 1; s <= steps; ++s) {
                pauseMs(stepMs);
                if (g_stop) {
                    if (rank == 0)
                        finish("aborted", "stopped", epoch - 1);
                    return 0;
                }
                if (rank == 0)
                    step(epoch, s);
                if (epoch == 2 && s == 3)
                    misbehave();
            }
            if (rank == 0)
                endEpoch(epoch, tag);
        }
        if (rank == 0)
            mode == "not_reached" ? finish("aborted", "target_not_reached", last)
                                  : finish("success", "target_reached", last);
        if (mode == "linger")
            hangForEver();
        return 0;
    }

    void endEpoch(int epoch, const std::string& tag)
    {
        out.record("", "INTERVAL_END", "epoch_stop", "null", tag);
        out.record("", "POINT_IN_TIME", "tracked_stats", "{\"throughput\":1000}", tag);
        const double reach = mode == "not_reached" ? 0.5 : 0.8;
        char value[32];
        std::snprintf(value, sizeof value, "%.6f", reach * epoch / epochs);
        out.record("", "POINT_IN_TIME", "eval_accuracy", value,
                   tag + ",\"samples_count\":" + std::to_string(samples));
        std::snprintf(value, sizeof value, "{\"epoch\":%d,", epoch);
        out.ours(
            "epoch_split",
            std::string(value) +
                R"("ranks":[{"rank":0,"step_ms":10,"compute_ms":8,"comm_ms":1,"input_ms":0.5,"other_ms":0.5,"eval_ms":3}],)" +
                (mode == "busy"
                     ? R"("hosts":[{"node":0,"host":"here","seconds":1,"processors":2,"own":0.5,"others":1.5,"stolen":0,"swapped_bytes":0}],)"
                     : "") +
                R"("bytes_read":1,"eval_s":0.1,"train_s":1,"train_loss":1.5})");
        if (checkpointKiB > 0)
            save(epoch);
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "--probe") == 0) {
        std::puts(R"({"engine":"fake","backends":["cpu"]})");
        return 0;
    }
    const bool resumed = argc == 4 && std::strcmp(argv[3], "--resume") == 0;
    if ((argc != 3 && !resumed) || std::strcmp(argv[1], "--run") != 0)
        return 2;
    const std::string dir = argv[2];
    Fake fake;
    fake.dir = dir;
    fake.resumed = resumed;
    fake.checkpointKiB = numberFrom("FAKE_ENGINE_CHECKPOINT_KB", 0);
    fake.mode = std::getenv("FAKE_ENGINE_MODE") ? std::getenv("FAKE_ENGINE_MODE") : "ok";
    fake.hold = std::getenv("FAKE_ENGINE_HOLD") ? std::getenv("FAKE_ENGINE_HOLD") : "";
    if (fake.mode == "kill_once")
        fake.mode = ::access((dir + "/result_0.txt.attempt1").c_str(), F_OK) == 0 ? "ok" : "kill";
    if (fake.mode == "busy_once")
        fake.mode = ::access((dir + "/result_0.txt.attempt1").c_str(), F_OK) == 0 ? "ok" : "busy";
    fake.rank = numberFrom("OMPI_COMM_WORLD_RANK", 0);
    fake.size = numberFrom("OMPI_COMM_WORLD_SIZE", 1);
    fake.epochs = numberFrom("FAKE_ENGINE_EPOCHS", 3);
    fake.steps = numberFrom("FAKE_ENGINE_STEPS", 5);
    fake.stepMs = numberFrom("FAKE_ENGINE_STEP_MS", 10);
    setUpSignals(fake.mode);
    const std::string errors = dir + "/stderr_" + std::to_string(fake.rank) + ".txt";
    if (!std::freopen(errors.c_str(), "a", stderr))
        return 3;
    std::setvbuf(stderr, nullptr, _IONBF, 0);
    if (fake.rank == 0) {
        fake.out.fd = ::open((dir + "/result_0.txt").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
        fake.out.split = fake.mode == "split";
        fake.out.foreign = fake.mode == "foreign";
    }
    return fake.run();
}
