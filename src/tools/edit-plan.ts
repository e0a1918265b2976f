import { CrewError } from '../model/errors.ts';
import { editPlanInput, planChanged } from '../wire/plans.ts';
import { defineTool } from './job-tool.ts';
import { planChangedLines } from './job-words.ts';

export const editPlan = defineTool({
  name: 'edit_plan',
  set: 'plans',
  title: 'Edit a plan',
  description: `Changes a plan while it runs: adds jobs, leaves some out, orders them anew, changes those that have not started, or changes the tests. Use it when the work shows that the plan was wrong. It is checked as a whole, and with an error nothing changes. For what the plan waits for use approve_plan; it takes back nothing that has landed.`,
  input: editPlanInput,
  output: planChanged,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  async handler({ jobs }, args) {
    const { planId, testCommand, add = [], skip = [], reorder = [], edit = [] } = args;
    if (testCommand === undefined && add.length + skip.length + reorder.length + edit.length === 0)
      throw new CrewError(
        'invalid_argument',
        `The edit of ${planId} changes nothing.`,
        'Pass test_command, add, skip, reorder or edit.',
      );
    return jobs.edit(args);
  },
  text: planChangedLines,
});
