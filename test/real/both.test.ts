// Both agents: the main job, their own tools and the rules they live under.
import './company.ts';
import './both/worker-modes.ts';
import './both/worker-tools.ts';
import './both/job.ts';
import './both/roles.ts';
import './both/rules.ts';
