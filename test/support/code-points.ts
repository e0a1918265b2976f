import fc from 'fast-check';

/**
 * Any character but half a surrogate pair, the common ones often. fast-check has this as its unit `binary`, which keeps
 * a table of 80 MB in a process; and the more memory a process has, the longer each start of a program from it takes.
 */
export const anyCodePoint = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((at) => String.fromCodePoint(at));
