// What crewmux is to a worker that finds it among its user's own servers: nothing, for a worker leads no crew.
import type { Face, Subject } from './face.ts';

export const noCrewFace: Face<Subject> = {
  name: 'crewmux',
  instructions: `You are a worker of a crew yourself, and only its manager starts workers: this server has no tools here. To speak with your manager use the tools of the server named crew.`,
  toolbox: async () => (await import('./toolbox.ts')).toolboxOf('none', []),
  patience: async () => 0,
};

export const noCrew: Subject = { dispose: async () => undefined };
