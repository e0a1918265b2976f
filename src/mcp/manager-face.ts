// What crewmux is to the manager that starts it.
import type { Crew } from '../crew/api.ts';
import type { Face } from './face.ts';
import { instructions } from './instructions.ts';
import { patienceOf } from './patience.ts';

/** `maxWaitSeconds`: the longest wait that is configured, where one is. */
export const managerFace = (maxWaitSeconds: () => Promise<number | undefined>): Face<Crew> => ({
  name: 'crewmux',
  instructions,
  toolbox: async () => (await import('./manager-toolbox.ts')).managerToolbox,
  patience: async (client) => patienceOf(client, await maxWaitSeconds()),
});
