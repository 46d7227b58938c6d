// What warps ask of the memory: the accesses of one place in the kernel, the k-th of each lane since the last barrier,
// are one instruction of the warp.
#pragma once
#include <algorithm>
#include <vector>

static const uint32_t MAX_SITES = 4096, SECTOR = 32;
struct Request { // of one warp
    uint32_t lanes = 0;
    uint16_t size[32];
    uint64_t address[32];
};
struct Requests { // of one warp at one site, since the last barrier
    uint32_t site, used = 0, done[32] = {};
    std::vector<Request> list;
};
static Site site_list[MAX_SITES];
static uint32_t n_sites, site_hash[4 * MAX_SITES]; // the index plus one
static Requests *requests_of[32][MAX_SITES];
static std::vector<Requests *> touched;
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

static void count_access(const Thread *t, uint32_t site, uint64_t address, uint32_t size) {
    Site &s = site_list[site];
    s.accesses++, s.bytes += size;
    Requests *&of = requests_of[t->number / 32][site];
    if (!of) of = new Requests{site};
    if (!of->used) touched.push_back(of);
    const uint32_t lane = t->number % 32, k = of->done[lane]++;
    if (k >= of->list.size()) of->list.resize(k + 1);
    of->used = std::max(of->used, k + 1);
    Request &r = of->list[k];
    r.lanes |= 1u << lane, r.address[lane] = address, r.size[lane] = (uint16_t)size;
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

static void serve_requests() {
    for (Requests *of : touched) {
        Site &s = site_list[of->site];
        for (uint32_t k = 0; k < of->used; k++) {
            s.requests++;
            if (s.space) serve_shared(s, of->list[k]);
            else serve_global(s, of->list[k]);
            of->list[k].lanes = 0;
        }
        of->used = 0;
        std::fill(of->done, of->done + 32, 0u);
    }
    touched.clear();
}

static void counts_start() {
    for (auto &warp : requests_of)
        for (uint32_t i = 0; i < n_sites; i++) delete warp[i], warp[i] = nullptr;
    n_sites = 0;
    memset(site_hash, 0, sizeof site_hash);
    for (auto &region : last_block)
        for (auto &operation : region) operation.clear();
}
