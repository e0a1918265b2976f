import { createHash } from 'node:crypto';

/** Recognises a text without keeping it. What an agent may change of a text, its ends and its Unicode form, does not count. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text.trim().normalize('NFC')).digest('hex');
