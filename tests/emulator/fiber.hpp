// One stack a thread, switched by hand: a dozen instructions instead of a call to the system.
#pragma once
#include <stdint.h>
#include <stdlib.h>

#if !defined(EMU_UCONTEXT) && (defined(__x86_64__) || defined(__aarch64__))
// emu_switch(save, load): push what the calling convention keeps, put the stack pointer into *save, take `load`.
extern "C" void emu_switch(void **save, void *load) __attribute__((visibility("hidden")));
#endif

#if defined(EMU_UCONTEXT)
#define EMU_SLOW
#elif defined(__x86_64__)
asm(R"(
.text
.globl emu_switch
.hidden emu_switch
.type emu_switch,@function
emu_switch:
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
.size emu_switch,.-emu_switch
)");
static void *fiber_start(char *top, void (*body)()) {
    void **sp = (void **)((uintptr_t)top & ~(uintptr_t)15);
    *--sp = nullptr;      // the body sees a stack as after a call: 8 below a multiple of 16
    *--sp = (void *)body; // where `ret` goes
    sp -= 6;
    for (int i = 0; i < 6; i++) sp[i] = nullptr;
    return sp;
}
#elif defined(__aarch64__)
asm(R"(
.text
.globl emu_switch
.hidden emu_switch
.type emu_switch,%function
emu_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size emu_switch,.-emu_switch
)");
static void *fiber_start(char *top, void (*body)()) {
    void **sp = (void **)((uintptr_t)top & ~(uintptr_t)15) - 20;
    for (int i = 0; i < 20; i++) sp[i] = nullptr;
    sp[11] = (void *)body; // x30
    return sp;
}
#else
#define EMU_SLOW
#endif
#ifdef EMU_SLOW
#include <ucontext.h>
// The slow way: a context of the C library at the top of each stack; the "stack pointer" is its address.
static void emu_switch(void **save, void *load) {
    ucontext_t here;
    *save = &here;
    swapcontext(&here, (ucontext_t *)load);
}
static void *fiber_start(char *top, void (*body)()) {
    ucontext_t *context = (ucontext_t *)((uintptr_t)(top - sizeof(ucontext_t)) & ~(uintptr_t)63);
    getcontext(context);
    context->uc_stack.ss_sp = (char *)context - 98304;
    context->uc_stack.ss_size = 98304;
    context->uc_link = nullptr;
    makecontext(context, body, 0);
    return context;
}
#endif

// Stacks lie one beside the other (memory.py maps them), the lowest page of each closed, so that an overflow stops
// instead of spoiling a neighbour.
static const size_t STACK = 128 * 1024;
