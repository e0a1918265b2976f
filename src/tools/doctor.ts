import { doctorOutput } from '../wire/doctor.ts';
import { nothing } from '../wire/parts.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const doctor = defineTool({
  name: 'doctor',
  title: 'Doctor',
  description: `Looks at what workers need and says what is wrong, each with what to do: tmux, git, the agents' programs and whether their release was tested, hooks, trust of the project, permissions, disk, state left by ended processes, settings. Use it when workers fail to start or are not understood, or before a first crew; for the state of the workers themselves use crew_status. It takes up to 15 seconds, changes nothing and shows no secrets.`,
  input: nothing,
  output: doctorOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew) => crew.doctor(),
  text: ({ findings }) =>
    lines(
      findings.map(
        ({ check, status, detail, fix }) =>
          `${status} ${check}: ${detail}${fix === undefined ? '' : `. To do: ${fix}`}`,
      ),
    ),
});
