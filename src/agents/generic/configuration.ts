// What a configuration says of an agent, ready for use.
import type { Keystroke } from '../../model/keystroke.ts';
import { type WaitingFor, waitingKinds } from '../../model/turn.ts';

/** A key by its tmux name, or text to type. */
type ConfiguredKeystroke = string | { readonly text: string };

/** As the settings hold it; every pattern compiles. */
export interface Configuration {
  readonly prompt: string;
  readonly ready?: string;
  readonly busy?: string;
  readonly dialog?: string | Readonly<Partial<Record<WaitingFor, string>>>;
  readonly placeholder?: string;
  readonly ignore?: string;
  readonly busy_rows: number;
  readonly rows_below: number;
  readonly quiet_ms: number;
  readonly submit: readonly ConfiguredKeystroke[];
  readonly interrupt: readonly ConfiguredKeystroke[];
  readonly clear?: readonly ConfiguredKeystroke[];
  readonly exit: readonly ConfiguredKeystroke[];
  readonly multiline: boolean;
  readonly command_prefixes: readonly string[];
  readonly model_args?: readonly string[];
  readonly skip_permissions_args?: readonly string[];
  readonly resume_args?: readonly string[];
  readonly pass_env: readonly string[];
}

export interface ScreenPatterns {
  readonly prompt: RegExp;
  readonly ready: RegExp | undefined;
  readonly busy: RegExp | undefined;
  readonly dialogs: readonly { readonly waitingFor: WaitingFor; readonly pattern: RegExp }[];
  readonly placeholder: RegExp | undefined;
  readonly ignore: RegExp | undefined;
  /** How far up from the end of the text a busy row counts. */
  readonly busyRows: number;
  readonly rowsBelow: number;
}

const compiled = (pattern: string | undefined): RegExp | undefined =>
  pattern === undefined ? undefined : new RegExp(pattern);

export function patternsOf(config: Configuration): ScreenPatterns {
  const { dialog = {} } = config;
  const named = typeof dialog === 'string' ? { dialog } : dialog;
  return {
    prompt: new RegExp(config.prompt),
    ready: compiled(config.ready),
    busy: compiled(config.busy),
    dialogs: waitingKinds.flatMap((waitingFor) => {
      const pattern = compiled(named[waitingFor]);
      return pattern === undefined ? [] : [{ waitingFor, pattern }];
    }),
    placeholder: compiled(config.placeholder),
    ignore: compiled(config.ignore),
    busyRows: config.busy_rows,
    rowsBelow: config.rows_below,
  };
}

export const keystrokesOf = (keystrokes: readonly ConfiguredKeystroke[]): readonly Keystroke[] =>
  keystrokes.map((keystroke) => (typeof keystroke === 'string' ? { press: keystroke } : { type: keystroke.text }));
