// Text of workers and of the world, safe to put before a person.

/** Keeps no character that a terminal would obey; line ends stay. */
export const plain = (text: string): string => text.replace(/\t/g, '  ').replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '');

export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();
