// The templates that everybody has. A file of the same name takes the place of one.
import type { Brings } from '../../model/task.ts';
import type { JobRequest } from '../../wire/plans.ts';
import type { Template } from './template.ts';

interface Step extends Pick<JobRequest, 'name' | 'priority' | 'prompt'> {
  readonly role: string;
  readonly after?: readonly string[];
  /** A commit unless it says so. */
  readonly brings?: Brings;
}

const jobOf = ({ name, role, priority, prompt, after = [], brings = 'commit' }: Step): JobRequest => ({
  ...{ name, role, priority, brings, dependsOn: after, prompt: `The goal:\n\n{{goal}}\n\n${prompt}` },
  touchSet: [],
});

const template = (name: string, description: string, steps: readonly Step[]): Template => ({
  ...{ name, description, params: new Map(), jobs: steps.map(jobOf) },
});

/** Its report becomes title and text of what the plan proposes. */
const proposal = (priority: number, after: readonly string[]): Step => ({
  ...{ name: 'pull-request', role: 'documenter', priority, after, brings: 'report' },
  prompt:
    'Write the text by which this work is proposed; open no pull request yourself. Read what has landed here, and the reports below. Hand it in with submit_report, in what_done. Its first line is the title: what becomes true, in at most 72 characters. Then a blank line, and: why, what changes for users, how it is built in a few sentences, how it was tested, and what a reviewer should look at first. Say nothing that the code does not show.',
});

const codeReview = template('code-review', 'five looks at code from different sides, and one report of them', [
  {
    ...{ name: 'structure', role: 'architect', priority: 7, brings: 'report' },
    prompt:
      'Review the structure of the code that the goal names; change nothing. Do its parts each have one task? Do dependencies lead one way? What is said twice, and what would be hard to change? Report each finding with file and line, why it matters, and what you would do instead. Say what is good and has to stay.',
  },
  {
    ...{ name: 'bugs', role: 'reviewer', priority: 8, brings: 'report' },
    prompt:
      'Look for bugs in the code that the goal names; change nothing. Follow each path with the input that it does not expect: nothing, too much, twice at once, an error in the middle. Run the tests. Report each bug with file and line, the input that shows it, what happens and what should. Say which ones you have seen happen.',
  },
  {
    ...{ name: 'security', role: 'reviewer', priority: 9, brings: 'report' },
    prompt:
      'Look for what an attacker could use in the code that the goal names; change nothing. Follow what comes from outside: to commands, queries, paths, templates, logs. Look at secrets, permissions, defaults and dependencies. Report each finding with file and line, who could use it and how, how bad it is, and the smallest fix.',
  },
  {
    ...{ name: 'performance', role: 'reviewer', priority: 6, brings: 'report' },
    prompt:
      'Look for what is slow or grows without bound in the code that the goal names; change nothing. Name the paths that run often or over much data. Measure where you can; say where you only guess. Report each finding with file and line, its cost now and at ten times the size, and a cheaper way.',
  },
  {
    ...{ name: 'docs', role: 'documenter', priority: 5, brings: 'report' },
    prompt:
      'Compare the documents and comments with the code that the goal names; change nothing. Report what is wrong, what is missing for somebody who uses it for the first time, and what can go, each with file and line.',
  },
  {
    ...{ name: 'report', role: 'reviewer', priority: 7, brings: 'report' },
    after: ['structure', 'bugs', 'security', 'performance', 'docs'],
    prompt:
      'Make one report of those that are quoted below; change nothing. Look at the code of each finding that you pass on, and leave out what does not hold. Join what says the same. Begin with a verdict in one sentence, then the findings, worst first: file and line, what is wrong, what to do, who found it. End with what nobody looked at.',
  },
]);

const featureDevelopment = template(
  'feature-development',
  'a feature from its design to the text of its pull request',
  [
    {
      ...{ name: 'design', role: 'architect', priority: 9, brings: 'report' },
      prompt:
        'Design what the goal asks for; change nothing. Read the code that it touches. Decide what users see, which parts change or are new, what each promises to the others, and where data lives. Name one other way and why you do not take it, the risks, and what is left out on purpose.',
    },
    {
      ...{ name: 'plan', role: 'implementer', priority: 8, after: ['design'], brings: 'report' },
      prompt:
        'Turn the design quoted below into steps; change nothing. Check it against the code first, and say where it does not hold. Each step names its files, what becomes true by it, and the test that shows it. Order them so that the tests pass after each.',
    },
    {
      ...{ name: 'core', role: 'implementer', priority: 7, after: ['plan'] },
      prompt:
        'Build it by the steps quoted below, with the tests that show each step. Write no more tests and no documents than that: others do so after you. Where a step does not hold, do what serves the goal, and say so in your report.',
    },
    {
      ...{ name: 'unit', role: 'tester', priority: 6, after: ['core'] },
      prompt:
        'Test the parts of what was built, each by itself: what it promises, and its edges. Change tests alone. A test that shows a bug stays out of your commit, and into your report.',
    },
    {
      ...{ name: 'integration', role: 'tester', priority: 6, after: ['core'] },
      prompt:
        'Test what was built as a whole, the way a user meets it: the main paths, what goes wrong on the way, and what was there before. Put the tests into files of their own. A test that shows a bug stays out of your commit, and into your report.',
    },
    {
      ...{ name: 'docs', role: 'documenter', priority: 5, after: ['core'] },
      prompt:
        'Document what was built, for those who use it and for those who change it, where the project has such documents. Try each example. Change documents alone.',
    },
    {
      ...{
        name: 'review',
        role: 'reviewer',
        priority: 7,
        after: ['core', 'unit', 'integration', 'docs'],
        brings: 'report',
      },
      prompt:
        'Review all that has landed here against the goal; change nothing. Does it do what was asked, and nothing else? Is it right, also at the edges and on errors? Do the tests fail without the code? Run them. Report a verdict first, then each finding with file and line, worst first.',
    },
    proposal(6, ['review']),
  ],
);

const bugFix = template('bug-fix', 'a bug from its cause to the text of its pull request', [
  {
    ...{ name: 'root-cause', role: 'reviewer', priority: 9, brings: 'report' },
    prompt:
      'Find the cause of the bug that the goal describes; change nothing that stays. Make it happen first, with the shortest input that does. Follow it to the line where right becomes wrong, and to the change that brought it, if there is one. Report the steps, what happens and what should, the cause, what else rests on it, and how sure you are.',
  },
  {
    ...{ name: 'approach', role: 'architect', priority: 8, after: ['root-cause'], brings: 'report' },
    prompt:
      'Decide how the bug is to be fixed, from the cause quoted below; change nothing. Prefer the smallest change that removes the cause and not only what shows. Name the files, what must not change for users, the test that fails before and passes after, and other places with the same mistake.',
  },
  {
    ...{ name: 'fix', role: 'implementer', priority: 7, after: ['approach'] },
    prompt:
      'Fix the bug in the way quoted below. Begin with the test that fails because of it, and see it fail. Change nothing that the fix does not need. Where the way does not hold, say so in your report.',
  },
  {
    ...{ name: 'tests', role: 'tester', priority: 8, after: ['fix'] },
    prompt:
      'Test the fix from outside: the input of the bug, its neighbours, and what worked before. Change tests alone. See that the test of the bug fails without the fix. A test that shows another bug stays out of your commit, and into your report.',
  },
  {
    ...{ name: 'docs', role: 'documenter', priority: 5, after: ['fix'] },
    prompt:
      'Write down what changes for users by the fix: in the changelog where there is one, and wherever a document says what is no longer so. Change documents alone.',
  },
  proposal(6, ['tests', 'docs']),
]);

const codeRefactoring = template('code-refactoring', 'other code for the same behaviour, proved by tests', [
  {
    ...{ name: 'analysis', role: 'reviewer', priority: 8, brings: 'report' },
    prompt:
      'Look at the code that the goal names as it is; change nothing. What does it do, who uses it, and what do its users rely on, said or not? Where is it hard to read or to change, and why? Which tests hold its behaviour, and what does none of them hold?',
  },
  {
    ...{ name: 'approach', role: 'architect', priority: 9, after: ['analysis'], brings: 'report' },
    prompt:
      'Decide how the code is to look afterwards, from the analysis quoted below; change nothing. Name the parts and what each promises, what goes, what stays as it is for users, and steps after each of which all tests pass.',
  },
  {
    ...{ name: 'safety', role: 'tester', priority: 8, after: ['analysis'] },
    prompt:
      'Before anything changes, write the tests that are missing by the analysis quoted below. They hold the behaviour as it is, also where it is odd, and pass on the code as it is. Change tests alone.',
  },
  {
    ...{ name: 'refactor', role: 'implementer', priority: 7, after: ['approach', 'safety'] },
    prompt:
      'Change the code in the steps quoted below, a commit for each, all tests passing after each. The behaviour stays as it is: fix no bug on the way, report it. Change no test, but for names and places that moved.',
  },
  {
    ...{ name: 'verify', role: 'tester', priority: 8, after: ['refactor'], brings: 'report' },
    prompt:
      'Check that the behaviour is as it was; change nothing. Run all tests, compare the change of the tests line by line, try the main paths by hand, and compare speed where it matters. Report what you ran, what it said, and each difference that you found.',
  },
  {
    ...{ name: 'docs', role: 'documenter', priority: 6, after: ['refactor'] },
    prompt:
      'Bring the documents and comments up to the code as it is now: names, places, and how to work on it. Change documents and comments alone.',
  },
  proposal(7, ['verify', 'docs']),
]);

export const builtInTemplates: readonly Template[] = [codeReview, featureDevelopment, bugFix, codeRefactoring];
