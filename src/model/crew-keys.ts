// What a key does on the crew's own tmux server, after its prefix.

export const keyActs = ['answer', 'next', 'workers', 'spawn', 'message', 'log', 'diff', 'board', 'help'] as const;
export type KeyAct = (typeof keyActs)[number];

/** On top of the defaults; `false` leaves a key, or all of them, as tmux has it. */
export type KeyChoice = false | Readonly<Record<string, KeyAct | false>>;

export const usualKeys: Readonly<Record<string, KeyAct>> = {
  a: 'answer',
  n: 'next',
  w: 'workers',
  N: 'spawn',
  M: 'message',
  L: 'log',
  D: 'diff',
  b: 'board',
  '?': 'help',
};

/** A key that every tmux knows: one it does not know would keep the server from its start. */
export const isKey = (text: string): boolean => /^(?:(?:M-)?[!-~]|C-[a-z]|F(?:[1-9]|1[0-2]))$/.test(text);

/** Pure. */
export function chosenKeys(choice: KeyChoice): readonly (readonly [key: string, act: KeyAct])[] {
  if (choice === false) return [];
  return Object.entries({ ...usualKeys, ...choice }).flatMap(([key, act]) =>
    act === false ? [] : [[key, act] as const],
  );
}
