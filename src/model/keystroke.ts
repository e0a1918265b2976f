// What can be done at a keyboard.

/** One act: `paste` is bracketed, `type` is literal keys, `press` a tmux key name such as `Enter`. */
export type Keystroke =
  | { readonly paste: string }
  | { readonly type: string }
  | { readonly press: string; readonly times?: number }
  | { readonly pauseMs: number };

const keyName =
  /^(?:[CMS]-)*(?:[!-~]|Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|PPage|NPage|IC|DC|Insert|Delete|F\d{1,2})$/;

/** Whether tmux knows `press` as a key; it would type the letters of a name it does not know. */
export const isKeyName = (press: string): boolean => keyName.test(press);
