import { doctorOutput } from '../wire/doctor.ts';
import { nothing } from '../wire/parts.ts';
import { defineTool } from './examiner.ts';
import { lines } from './words.ts';

export const doctor = defineTool({
  name: 'doctor',
  set: 'admin',
  title: 'Doctor',
  description: `Looks at what workers need (tmux, git, the agents, hooks, trust, permissions, disk, settings) and says what is wrong and what to do. Use it when workers fail to start or are not understood, or before a first crew; for the workers themselves use crew_status. It takes up to 15 seconds, changes nothing and shows no secrets.`,
  input: nothing,
  output: doctorOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (examiner) => examiner.doctor(),
  text: ({ findings }) =>
    lines(
      findings.map(
        ({ check, status, detail, fix }) =>
          `${status} ${check}: ${detail}${fix === undefined ? '' : `. To do: ${fix}`}`,
      ),
    ),
});
