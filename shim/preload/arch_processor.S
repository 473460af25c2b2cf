/* SPDX-License-Identifier: MIT */
/*
 * Stubs of processor.c call these, with the red zone left alone: all registers are kept but what the
 * instruction sets, and the flags too, which rdtsc does not touch. rdrand sets the carry flag where
 * it has a number, and clears the others; its register has been pushed, and is popped by the stub.
 */
#define CARRY 1
#define ARITHMETIC_FLAGS 0x8d5

/* Offsets from %rbx, behind what enter pushes. */
#define SAVED_RDX 64
#define SAVED_RCX 72
#define SAVED_RAX 80
#define SAVED_FLAGS 88
#define SLOT 104

	.text

.macro enter
	pushfq
	cld
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbp
	pushq	%rbx
	movq	%rsp, %rbx
	andq	$-16, %rsp
	subq	$256, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	%xmm\n, 16*\n(%rsp)
	.endr
.endm

.macro leave_stub
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	16*\n(%rsp), %xmm\n
	.endr
	movq	%rbx, %rsp
	popq	%rbx
	popq	%rbp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	popfq
	ret
.endm

.macro begin name
	.globl	\name
	.hidden	\name
	.type	\name, @function
\name:
.endm

.macro counter
	call	processor_counter
	movl	%eax, %ecx
	shrq	$32, %rax
	movq	%rcx, SAVED_RAX(%rbx)
	movq	%rax, SAVED_RDX(%rbx)
.endm

	begin processor_enter_rdtsc
	enter
	counter
	leave_stub

/* Of which processor and node it says the number, IA32_TSC_AUX: 0. */
	begin processor_enter_rdtscp
	enter
	counter
	movq	$0, SAVED_RCX(%rbx)
	leave_stub

.macro random bits
	begin processor_enter_random\bits
	enter
	movl	$\bits / 8, %edi
	leaq	SLOT(%rbx), %rsi
	call	processor_random
	andq	$~ARITHMETIC_FLAGS, SAVED_FLAGS(%rbx)
	orq	$CARRY, SAVED_FLAGS(%rbx)
	leave_stub
.endm

	random 16
	random 32
	random 64

/* The caller's address decides where dlopen looks: jump to it, do not call it. */
.macro before name
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	call	processor_before_\name
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	jmpq	*%rax
	.cfi_endproc
	.size	\name, . - \name
.endm

	before dlopen
	before dlmopen

	.section .note.GNU-stack, "", @progbits
