// What warps ask of the memory. Lanes run one after another, so the instructions of their warp are found afterwards:
// every lane leaves a trace of its accesses and of the basic blocks between them (-fsanitize-coverage=trace-pc), and
// the traces are merged as a warp would run them: of all lanes those deepest in calls, then those lowest in the code,
// go first, and lanes at one instruction go together. A lane that leaves a loop early so waits behind it for the others.
// The rule is that of Collange, "Stack-less SIMT reconvergence at low cost" (2011).
#pragma once
#include <algorithm>
#include <vector>

static const uint32_t MAX_SITES = 4096, SECTOR = 32, NO_SITE = ~0u, LONGEST = 1u << 24;
struct Event {
    uint64_t key, address; // the key: depth and place in the code; smaller goes first
    uint32_t site, size;
};
struct Request { // of one warp
    uint32_t lanes;
    uint32_t size[32];
    uint64_t address[32];
};
static Site site_list[MAX_SITES];
static uint32_t n_sites, n_events, site_hash[4 * MAX_SITES]; // the index plus one
static std::vector<Event> trace[1024];
static uint32_t depth[1024]; // of calls
static std::vector<uint32_t> last_block[64][3]; // by region and operation: the block that touched a sector last

static uint32_t site_of(uint64_t where, uint32_t space, uint32_t operation) {
    uint64_t h = (where * 8 + space * 4 + operation) * 0x9E3779B97F4A7C15ULL;
    for (uint32_t i = (uint32_t)(h >> 50);; i++) {
        uint32_t &at = site_hash[i % (4 * MAX_SITES)];
        if (!at) {
            if (n_sites == MAX_SITES) return MAX_SITES - 1;
            site_list[n_sites] = Site{where, space, operation, 0, 0, 0, 0, 0};
            at = ++n_sites;
        }
        const Site &s = site_list[at - 1];
        if (s.where == where && s.space == space && s.operation == operation) return at - 1;
    }
}

static void serve_requests();
static void leave_trace(const Thread *t, uint64_t code, uint32_t site, uint64_t address, uint32_t size) {
    if (expired) stop_launch(ENDLESS, code, launch->limit_s);
    trace[t->number].push_back({(uint64_t)(255 - (depth[t->number] & 255)) << 56 | code, address, site, size});
    if (++n_events == LONGEST) serve_requests(); // a warp cut in two here is counted as two
}

static void count_sectors(uint32_t region, uint32_t operation, uint64_t offset, uint32_t size) {
    auto &last = last_block[region][operation];
    if (last.empty()) last.resize(launch->regions[region].size / SECTOR + 1);
    for (uint64_t i = offset / SECTOR; i <= (offset + size - 1) / SECTOR; i++) {
        launch->counts.sectors_of_launch[operation] += last[i] == 0;
        launch->counts.sectors_of_blocks[operation] += last[i] != block_start;
        last[i] = block_start;
    }
}

// Distinct 32-byte sectors of one request, and the least that could hold its distinct bytes.
static void serve_global(Site &s, const Request &r) {
    std::pair<uint64_t, uint64_t> spans[32];
    unsigned n = 0;
    for (unsigned left = r.lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        spans[n++] = {r.address[lane], r.address[lane] + r.size[lane]};
    }
    if (!std::is_sorted(spans, spans + n)) std::sort(spans, spans + n);
    uint64_t distinct = 0, reached = 0, next_sector = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t start = std::max(spans[i].first, reached);
        if (spans[i].second > start) distinct += spans[i].second - start, reached = spans[i].second;
        const uint64_t first = std::max(spans[i].first / SECTOR, next_sector), last = (spans[i].second - 1) / SECTOR;
        if (last >= first) s.transactions += last - first + 1, next_sector = last + 1;
    }
    s.ideal += (distinct + SECTOR - 1) / SECTOR;
}

// Wavefronts: 32 banks of 4 bytes, one word each at a time; 8 bytes a lane go by half warps, 16 by quarters.
static void serve_shared(Site &s, const Request &r) {
    unsigned widest = 4;
    for (unsigned left = r.lanes; left; left &= left - 1) widest = std::max<unsigned>(widest, r.size[__builtin_ctz(left)]);
    const unsigned part = widest <= 4 ? 32 : widest <= 8 ? 16 : 8;
    for (unsigned start = 0; start < 32; start += part) {
        uint64_t words[32][64];
        unsigned held[32] = {}, most = 0;
        for (unsigned lane = start; lane < start + part; lane++) {
            if (!(r.lanes >> lane & 1)) continue;
            for (uint64_t w = r.address[lane] / 4; w <= (r.address[lane] + r.size[lane] - 1) / 4; w++) {
                const unsigned bank = w % 32;
                if (std::find(words[bank], words[bank] + held[bank], w) != words[bank] + held[bank]) continue;
                words[bank][held[bank]++] = w;
                most = std::max(most, held[bank]);
            }
        }
        s.transactions += most, s.ideal += most != 0;
    }
}

static void serve_warp(std::vector<Event> *lanes, unsigned n) {
    size_t at[32] = {};
    for (;;) {
        uint64_t first = ~0ull;
        for (unsigned i = 0; i < n; i++)
            if (at[i] < lanes[i].size()) first = std::min(first, lanes[i][at[i]].key);
        if (first == ~0ull) return;
        Request r;
        r.lanes = 0;
        uint32_t site = NO_SITE;
        for (unsigned i = 0; i < n; i++) {
            if (at[i] == lanes[i].size() || lanes[i][at[i]].key != first) continue;
            const Event &e = lanes[i][at[i]++];
            if (e.site == NO_SITE) continue;
            if (site != NO_SITE && e.site != site) { // global here, shared there: another instruction
                at[i]--;
                continue;
            }
            site = e.site;
            r.lanes |= 1u << i, r.size[i] = e.size, r.address[i] = e.address;
        }
        if (site == NO_SITE) continue;
        Site &s = site_list[site];
        s.requests++;
        if (s.space) serve_shared(s, r);
        else serve_global(s, r);
    }
}

static void serve_requests() {
    for (unsigned w = 0; w * 32 < n_threads; w++) serve_warp(trace + w * 32, std::min(32u, n_threads - w * 32));
    for (unsigned i = 0; i < n_threads; i++) trace[i].clear();
    n_events = 0;
}

static void counts_start() {
    n_sites = 0;
    memset(site_hash, 0, sizeof site_hash);
    for (auto &region : last_block)
        for (auto &operation : region) operation.clear();
}
