// SPDX-License-Identifier: GPL-3.0-or-later
// From the boot loader (Multiboot 1: 32 bits, flat, no paging) to 64 bits with all of AVX-512 and AMX
// switched on, and to amxMain().
#define PAGE_GIB 0x83 /* present, writable, of 1 GiB */
#define CR4 ((1 << 5) | (1 << 9) | (1 << 10) | (1 << 18)) /* PAE, FXSR, SSE exceptions, XSAVE */
#define XCR0 0x602e7 /* x87, SSE, AVX, AVX-512, PKRU, both of AMX */

.section .multiboot, "a"
.align 4
.long 0x1badb002, 0, -0x1badb002

.text
.code32
.globl start
start:
    mov $stackEnd, %esp
    mov $gibibytes, %eax
    or $3, %eax
    mov %eax, pages
    mov $PAGE_GIB, %eax
    mov $gibibytes, %edi
    mov $4, %ecx
next:
    mov %eax, (%edi)
    add $0x40000000, %eax
    add $8, %edi
    loop next
    mov %cr4, %eax
    or $CR4, %eax
    mov %eax, %cr4
    mov $pages, %eax
    mov %eax, %cr3
    mov $0xc0000080, %ecx // EFER
    rdmsr
    or $0x100, %eax // long mode
    wrmsr
    mov %cr0, %eax
    and $~0xc, %eax        // no emulation of the FPU, which nobody else uses
    or $0x80000003, %eax   // paging, protection
    mov %eax, %cr0
    lgdt table
    ljmp $8, $wide

.code64
wide:
    mov $16, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov $stackEnd, %rsp
    xor %ecx, %ecx
    xor %edx, %edx
    mov $XCR0, %eax
    xsetbv
    call amxMain
stop:
    hlt
    jmp stop

.data
.align 16
segments:
    .quad 0, 0x00af9a000000ffff, 0x00cf92000000ffff
table:
    .word 23
    .long segments, 0

.bss
.align 4096
pages:
    .skip 4096
gibibytes:
    .skip 4096
.align 64
.skip 1 << 20
stackEnd:

.section .note.GNU-stack, "", @progbits
