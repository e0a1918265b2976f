// What to do next, where a model makes a call and a person does something else. Pure.

/** A call of a tool or a part of one, and what a person does in its place. */
export interface CallWords {
  readonly call: string;
  readonly persons: string;
}

export const call = (words: string, persons: string): CallWords => ({ call: words, persons });

/** Wherever it becomes text or JSON it is as a model reads it. */
export class Advice {
  readonly forModel: string;
  readonly forPerson: string;

  constructor(forModel: string, forPerson: string) {
    this.forModel = forModel;
    this.forPerson = forPerson;
  }

  toString(): string {
    return this.forModel;
  }

  toJSON(): string {
    return this.forModel;
  }
}

/** A plain one says the same to both. */
export type Hint = string | Advice;

export const forPerson = (hint: Hint): string => (typeof hint === 'string' ? hint : hint.forPerson);

/** A template whose calls each reader gets in words of their own. */
export function advise(words: TemplateStringsArray, ...parts: readonly (Hint | CallWords)[]): Advice {
  const told = (say: (part: Hint | CallWords) => string) => String.raw({ raw: words }, ...parts.map(say));
  return new Advice(
    told((part) => (isCall(part) ? part.call : String(part))),
    told((part) => (isCall(part) ? part.persons : forPerson(part))),
  );
}

const isCall = (part: Hint | CallWords): part is CallWords => typeof part === 'object' && 'call' in part;
