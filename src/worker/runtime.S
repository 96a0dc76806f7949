/* The JavaScript of the isolate as a C string. */
    .section .rodata
    .global runtime_core_start
    .hidden runtime_core_start
runtime_core_start:
    .incbin RUNTIME_CORE
    .byte 0
    .section .note.GNU-stack, "", @progbits
