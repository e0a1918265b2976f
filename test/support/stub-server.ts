// The real edge over a crew of cardboard, as a program
import { appendFileSync } from 'node:fs';
import { serveUntilEnd } from '../../src/mcp/lifecycle.ts';
import { managerProfile } from '../../src/mcp/profiles.ts';
import { toolSets } from '../../src/model/tool-set.ts';
import { systemClock } from '../../src/system/clock.ts';
import { openLog } from '../../src/system/log.ts';
import { stubExaminer } from './stub-crew.ts';
import { stubWorkshop } from './stub-jobs.ts';

const {
  STUB_DIARY = '/dev/null',
  STUB_LOG = '/dev/null',
  STUB_DISPOSE_MS = '0',
  STUB_OPENINGS_FAIL = '0',
} = process.env;
const note = (line: string) => appendFileSync(STUB_DIARY, `${line}\n`);
let failures = Number(STUB_OPENINGS_FAIL);

serveUntilEnd(process, {
  version: '0.0.0',
  log: openLog({
    path: STUB_LOG,
    level: () => 'debug',
    clock: systemClock,
    stderr: (line) => process.stderr.write(line),
  }),
  profile: managerProfile({
    maxWaitSeconds: async () => undefined,
    sets: async () => toolSets,
    elicits: async () => false,
    untoldPlace: async () => undefined,
    examiner: async () => stubExaminer,
    written: async () => ({
      async read() {
        const whole = { name: 'look out', text: 'Look.' };
        return {
          roles: [{ name: 'look out', description: 'looks', whole }],
          templates: [{ name: 'shop', description: 'a shop', whole: { name: 'shop' } }],
        };
      },
      onChange: () => () => undefined,
    }),
  }),
  async open() {
    failures -= 1;
    if (failures >= 0) throw new Error('the crew is not at home');
    process.on('SIGUSR2', () => {
      setTimeout(() => {
        throw new Error('out of the blue');
      });
      Promise.reject(new Error('nobody listens'));
    });
    console.log('a stray word for the console');
    // The last word: tests send signals as soon as they read it.
    note('opened');
    return stubWorkshop(note, { disposeMs: Number(STUB_DISPOSE_MS) });
  },
});
