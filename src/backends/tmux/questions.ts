// Commands that the kept client has sent and tmux has not answered yet, in order.
import type { Clock, Disposer } from '../../model/clock.ts';
import { newNonce } from '../../model/ids.ts';
import type { Reply } from './command.ts';

export interface QuestionOptions {
  /** Undefined waits for as long as the client lives. */
  readonly deadlineMs?: number | undefined;
  /** Called when tmux starts to run the first command. */
  readonly whenBegun?: () => void;
}

interface Question {
  readonly token: string;
  readonly output: string[];
  refusal: string | undefined;
  whenBegun: (() => void) | undefined;
  readonly cancelDeadline: Disposer;
  readonly resolve: (reply: Reply) => void;
}

export interface Questions {
  /** The token must be printed by a command after the asked ones: how many answers a list has is not known before. */
  put(
    options: QuestionOptions,
    whenLate: (why: string) => void,
  ): { readonly token: string; readonly reply: Promise<Reply> };
  begin(): void;
  answer(answer: { readonly ok: boolean; readonly lines: readonly string[] }): void;
  /** No answer comes any more, neither to these questions nor to later ones. */
  lose(why: string): void;
}

export function openQuestions(clock: Clock): Questions {
  const open: Question[] = [];
  let lost: string | undefined;
  return {
    put({ deadlineMs, whenBegun }, whenLate) {
      const token = `answered-${newNonce()}`;
      if (lost !== undefined) return { token, reply: Promise.resolve({ is: 'lost', words: lost }) };
      const reply = new Promise<Reply>((resolve) => {
        const late = () => whenLate(`no answer within ${deadlineMs} ms`);
        const cancelDeadline = deadlineMs === undefined ? () => undefined : clock.after(deadlineMs, late);
        open.push({ token, output: [], refusal: undefined, whenBegun, cancelDeadline, resolve });
      });
      return { token, reply };
    },
    begin() {
      const front = open[0];
      front?.whenBegun?.();
      if (front !== undefined) front.whenBegun = undefined;
    },
    answer({ ok, lines }) {
      const front = open[0];
      if (front === undefined) return;
      if (lines.length === 1 && lines[0] === front.token) {
        open.shift();
        settle(front, outcome(front));
      } else if (ok) for (const line of lines) front.output.push(line, '\n');
      else front.refusal ??= lines.join('\n');
    },
    lose(why) {
      lost ??= why;
      for (const one of open.splice(0)) settle(one, { is: 'lost', words: lost });
    },
  };
}

const outcome = ({ refusal, output }: Question): Reply =>
  refusal === undefined ? { is: 'done', output: output.join('') } : { is: 'refused', words: refusal };

function settle(one: Question, reply: Reply): void {
  one.cancelDeadline();
  one.resolve(reply);
}
