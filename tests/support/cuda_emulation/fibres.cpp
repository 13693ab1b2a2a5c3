// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of a block as fibres. A thread keeps the processor until it waits; a fibre whose
// thread ended goes on with the next one, so that kernels without barriers need a single fibre.
#include "support/cuda_emulation/emulation.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if defined(SB_FIBRES_UNDER_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)
// swapcontext() asks the kernel for the signal mask twice a switch, which is most of the time of an
// emulated kernel. System V AMD64 ABI: what a function must preserve is saved on its own stack.
extern "C" void sbSwitchStack(void** save, void* to);
asm(R"(
    .text
    .type sbSwitchStack, @function
sbSwitchStack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size sbSwitchStack, .-sbSwitchStack
)");
#else
#include <ucontext.h>
#endif

namespace scalebench::emulation {
namespace {

constexpr std::size_t kStackBytes = std::size_t(512) << 10;
constexpr int kWarp = 32;

Order currentOrder = Order::Forward;

#if defined(__x86_64__)
using Context = void*; ///< stack pointer of what waits

void switchContext(Context& from, Context& to)
{
    sbSwitchStack(&from, to);
}

void prepare(Context& context, void* stack, void (*entry)())
{
    // As if it had called sbSwitchStack() before its first instruction.
    auto* top = reinterpret_cast<void**>(static_cast<char*>(stack) + kStackBytes);
    *--top = nullptr; // no caller: the unwinder stops
    *--top = reinterpret_cast<void*>(entry);
    context = top - 6;
}
#else
using Context = ucontext_t;

void switchContext(Context& from, Context& to)
{
    swapcontext(&from, &to);
}

void prepare(Context& context, void* stack, void (*entry)())
{
    getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = kStackBytes;
    context.uc_link = nullptr;
    makecontext(&context, entry, 0);
}
#endif

enum class State { NotStarted, Running, AtBlockBarrier, PastBlockBarrier, AtWarp, Done };

struct Fibre {
    Context context{};
    void* stack = nullptr;
    void* fakeStack = nullptr;
    int thread = -1; ///< that waits in it
};

/// One warp-wide operation that some lanes have reached.
struct Exchange {
    unsigned mask = 0, arrived = 0, left = 0;
    std::array<std::uint64_t, kWarp> values{};
};

struct Warp {
    std::vector<Exchange> open; ///< not yet left by all
};

struct BlockRun {
    const std::function<void()>* body = nullptr;
    Thread shape{};
    int count = 0;
    std::vector<State> states;
    std::vector<int> fibreOf; ///< of a waiting thread
    std::vector<Warp> warps;
    std::vector<unsigned char> shared;
    int started = 0, done = 0, waiting = 0;
    bool orNext = false, orResult = false;
    std::string failure;
};

BlockRun* block = nullptr;
int current = -1; ///< thread
Context scheduler{};
void* schedulerFakeStack = nullptr;
const void* schedulerStack = nullptr;
std::size_t schedulerStackBytes = 0;
bool fromScheduler = false; ///< who made the last switch to a fibre
std::vector<std::unique_ptr<Fibre>> fibres;
std::vector<int> idleFibres;
int currentFibre = -1;

struct Abandon {
}; // unwinds the fibres of a block that failed

void startSwitch([[maybe_unused]] void** save, [[maybe_unused]] const void* bottom,
                 [[maybe_unused]] std::size_t size)
{
#if defined(SB_FIBRES_UNDER_SANITIZER)
    __sanitizer_start_switch_fiber(save, bottom, size);
#endif
}

void finishSwitch([[maybe_unused]] void* saved, [[maybe_unused]] const void** bottom,
                  [[maybe_unused]] std::size_t* size)
{
#if defined(SB_FIBRES_UNDER_SANITIZER)
    __sanitizer_finish_switch_fiber(saved, bottom, size);
#endif
}

/// In a fibre, after each switch to it.
void arrive(void* fakeStack)
{
    const void* bottom = nullptr;
    std::size_t size = 0;
    finishSwitch(fakeStack, &bottom, &size);
    if (std::exchange(fromScheduler, false)) {
        schedulerStack = bottom;
        schedulerStackBytes = size;
    }
}

/// From the scheduler.
void toFibre(int number)
{
    currentFibre = number;
    fromScheduler = true;
    Fibre& f = *fibres[std::size_t(number)];
    startSwitch(&schedulerFakeStack, f.stack, kStackBytes);
    switchContext(scheduler, f.context);
    finishSwitch(schedulerFakeStack, nullptr, nullptr);
}

uint3 unfold(int index, const dim3& size)
{
    const auto i = unsigned(index);
    return {i % size.x, i / size.x % size.y, i / size.x / size.y};
}

void fail(const std::string& text)
{
    if (block->failure.empty())
        block->failure = text;
}

/// The thread at a place in the order, and the place of a thread.
int inOrder(int n)
{
    return currentOrder == Order::Forward ? n : block->count - 1 - n;
}

/// The next thread to begin, or -1.
int nextNew()
{
    if (block->started == block->count || !block->failure.empty())
        return -1;
    return inOrder(block->started++);
}

void becomeThread(int number)
{
    current = number;
    block->shape.threadIndex = unfold(number, block->shape.blockSize);
}

void runThreads()
{
    for (int number = nextNew(); number >= 0; number = nextNew()) {
        becomeThread(number);
        block->states[std::size_t(number)] = State::Running;
        try {
            (*block->body)();
        } catch (const Abandon&) {
        } catch (const std::exception& e) {
            fail(e.what());
        }
        block->states[std::size_t(current)] = State::Done;
        ++block->done;
    }
}

void fibreMain();

int freeFibre()
{
    if (!idleFibres.empty()) {
        const int n = idleFibres.back();
        idleFibres.pop_back();
        return n;
    }
    auto f = std::make_unique<Fibre>();
    f->stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->stack == MAP_FAILED)
        throw std::runtime_error("CUDA emulation: no memory for the stack of a fibre");
    prepare(f->context, f->stack, fibreMain);
    fibres.push_back(std::move(f));
    return int(fibres.size()) - 1;
}

unsigned lanesOf(int warp)
{
    const int lanes = std::min(kWarp, block->count - warp * kWarp);
    return lanes == kWarp ? 0xffffffffu : (1u << lanes) - 1u;
}

bool released(int number)
{
    const State s = block->states[std::size_t(number)];
    if (s == State::PastBlockBarrier)
        return true;
    if (s != State::AtWarp)
        return false;
    for (const Exchange& e : block->warps[std::size_t(number / kWarp)].open)
        if ((e.arrived & ~e.left) >> (number % kWarp) & 1u)
            return e.arrived == e.mask;
    return true;
}

/// The next place in the order of threads, from `place` on, whose thread waits and can go on; the
/// number of threads when there is none.
int nextReady(int place)
{
    for (; place < block->count; ++place) {
        const int number = inOrder(place);
        const State s = block->states[std::size_t(number)];
        const bool waits =
            s == State::AtBlockBarrier || s == State::PastBlockBarrier || s == State::AtWarp;
        if (waits && (released(number) || !block->failure.empty()))
            break;
    }
    return place;
}

/// From a fibre, to what the scheduler would choose next: asking it would be a switch more.
void switchAway()
{
    Fibre& mine = *fibres[std::size_t(currentFibre)];
    int next = -1;
    if (block->started < block->count && block->failure.empty())
        next = freeFibre();
    else if (const int place = nextReady(inOrder(current) + 1); place < block->count)
        next = block->fibreOf[std::size_t(inOrder(place))];
    if (next < 0) {
        startSwitch(&mine.fakeStack, schedulerStack, schedulerStackBytes);
        switchContext(mine.context, scheduler);
        arrive(mine.fakeStack);
    } else {
        currentFibre = next;
        Fibre& f = *fibres[std::size_t(next)];
        startSwitch(&mine.fakeStack, f.stack, kStackBytes);
        switchContext(mine.context, f.context);
        arrive(mine.fakeStack);
    }
}

void fibreMain()
{
    arrive(nullptr);
    for (;;) {
        runThreads();
        idleFibres.push_back(currentFibre);
        switchAway();
    }
}

/// Until the thread is released.
void wait(State state)
{
    if (!block->failure.empty())
        throw Abandon();
    const int me = current;
    block->states[std::size_t(me)] = state;
    block->fibreOf[std::size_t(me)] = currentFibre;
    switchAway();
    becomeThread(me);
    block->states[std::size_t(me)] = State::Running;
    if (!block->failure.empty())
        throw Abandon();
}

/// Nothing can run: name what hangs.
std::string deadlock()
{
    int barrier = 0, warp = 0;
    for (const State s : block->states) {
        barrier += s == State::AtBlockBarrier;
        warp += s == State::AtWarp;
    }
    return "deadlock in a block of " + std::to_string(block->count) +
           " threads: " + std::to_string(barrier) + " wait at a barrier, " + std::to_string(warp) +
           " at a warp operation, " + std::to_string(block->done) + " have ended";
}

void runBlock()
{
    while (block->done < block->count) {
        bool progressed = false;
        // All of them first: looking through those that wait after each takes longer than they do.
        if (block->started < block->count && block->failure.empty()) {
            toFibre(freeFibre());
            progressed = true;
        }
        // All threads wait at the barrier: let them go. One that ended will never come.
        if (block->waiting > 0 && block->started == block->count &&
            block->waiting == block->count) {
            block->waiting = 0;
            std::fill(block->states.begin(), block->states.end(), State::PastBlockBarrier);
            block->orResult = std::exchange(block->orNext, false);
        }
        if (const int place = nextReady(0); place < block->count) { // and those after it
            toFibre(block->fibreOf[std::size_t(inOrder(place))]);
            progressed = true;
        }
        if (!block->failure.empty() && block->started < block->count) {
            block->done += block->count - block->started; // never begun
            block->started = block->count;
        }
        if (!progressed)
            fail(deadlock());
    }
}

} // namespace

void setOrder(Order newOrder)
{
    currentOrder = newOrder;
}

Order order()
{
    return currentOrder;
}

const Thread& thread()
{
    return block->shape;
}

int linearThread()
{
    return current;
}

void* dynamicShared()
{
    return block->shared.data();
}

void blockBarrier()
{
    ++block->waiting;
    wait(State::AtBlockBarrier);
}

bool blockOr(bool predicate)
{
    block->orNext |= predicate;
    blockBarrier();
    return block->orResult;
}

namespace {

/// Without a call, which the sanitizer would look at, for what is a register's width.
void copy(void* to, const void* from, std::size_t bytes)
{
    if (bytes == 4)
        std::memcpy(to, from, 4);
    else if (bytes == 8)
        std::memcpy(to, from, 8);
    else
        std::memcpy(to, from, bytes);
}

/// Waits for the lanes of `mask`, then shows `take` what each of them brought, and which there are.
template <typename Take>
void meet(unsigned mask, const void* mine, std::size_t bytes, const Take& take)
{
    const int warp = current / kWarp, lane = current % kWarp;
    const unsigned wanted = mask & lanesOf(warp);
    if (!(wanted >> lane & 1u))
        throw std::runtime_error("a lane takes part in a warp operation whose mask leaves it out");
    std::vector<Exchange>& open = block->warps[std::size_t(warp)].open;
    std::size_t at = 0;
    while (at < open.size() && (open[at].mask != wanted || (open[at].arrived >> lane & 1u)))
        ++at;
    if (at == open.size()) {
        open.emplace_back();
        open.back().mask = wanted;
    }
    open[at].arrived |= 1u << lane;
    if (bytes > 0)
        copy(&open[at].values[std::size_t(lane)], mine, bytes);
    if (open[at].arrived != wanted)
        wait(State::AtWarp);
    // Others may have removed entries: the oldest one that this lane has not left.
    for (at = 0; at < open.size(); ++at)
        if (open[at].mask == wanted && ((open[at].arrived & ~open[at].left) >> lane & 1u))
            break;
    Exchange& e = open[at];
    take(std::as_const(e.values), wanted);
    e.left |= 1u << lane;
    if (e.left == e.mask)
        open.erase(open.begin() + std::ptrdiff_t(at));
}

using Values = std::array<std::uint64_t, kWarp>;

} // namespace

void warpExchange(unsigned mask, const void* mine, std::size_t bytes, int source, void* result)
{
    bool isThere = true;
    meet(mask, mine, bytes, [&](const Values& values, unsigned lanes) {
        isThere = bytes == 0 || (source >= 0 && source < kWarp && (lanes >> source & 1u));
        if (isThere && bytes > 0)
            copy(result, &values[std::size_t(source)], bytes);
    });
    if (!isThere)
        throw std::runtime_error("a shuffle reads lane " + std::to_string(source) +
                                 ", which does not take part");
}

unsigned warpBallot(unsigned mask, bool predicate)
{
    unsigned all = 0;
    const std::uint64_t mine = predicate;
    meet(mask, &mine, sizeof mine, [&](const Values& values, unsigned lanes) {
        for (unsigned lane = 0; lane < kWarp; ++lane)
            if (lanes >> lane & 1u && values[lane] != 0)
                all |= 1u << lane;
    });
    return all;
}

void trap()
{
    throw std::runtime_error("the kernel trapped");
}

void runGrid(dim3 grid, dim3 size, std::size_t sharedBytes, const std::function<void()>& body)
{
    const std::size_t threads = std::size_t(size.x) * size.y * size.z;
    if (threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
        grid.y > 65535 || grid.z > 65535)
        throw std::runtime_error("invalid launch: " + std::to_string(threads) +
                                 " threads in a block");
    if (sharedBytes > 227 * 1024)
        throw std::runtime_error("invalid launch: " + std::to_string(sharedBytes) +
                                 " bytes of shared memory");
    const std::size_t blocks = std::size_t(grid.x) * grid.y * grid.z;
    for (std::size_t b = 0; b < blocks; ++b) {
        BlockRun run;
        run.body = &body;
        run.count = int(threads);
        run.shape.blockSize = size;
        run.shape.gridSize = grid;
        run.shape.blockIndex =
            unfold(int(currentOrder == Order::Forward ? b : blocks - 1 - b), grid);
        run.states.assign(threads, State::NotStarted);
        run.fibreOf.assign(threads, -1);
        run.warps.resize((threads + kWarp - 1) / kWarp);
        run.shared.assign(sharedBytes, 0xff); // NaN in every float type
        block = &run;
        runBlock();
        block = nullptr;
        if (!run.failure.empty())
            throw std::runtime_error(run.failure + " (block " + std::to_string(b) + " of " +
                                     std::to_string(blocks) + ")");
    }
}

} // namespace scalebench::emulation
