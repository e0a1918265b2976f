// Named sets of rules for a worker's job. They leave out the read-only commands that Claude Code runs unasked.
import { mapRules, noEditing, type PresetName, type RuleList, type Rules } from '../model/rule.ts';

const commands = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `Bash(${line})`);

const looking = [
  'Read(./**)',
  'WebSearch',
  ...commands('rg *, tree *, jq *, git status *, git diff *, git log *, git show *, git blame *'),
];

const testing = commands(`
  npm test *, npm t, npm run test*, npm run lint*, npm run check*, npm run typecheck*
  pnpm test *, pnpm run test*, pnpm lint *, yarn test *, yarn lint *, bun test *
  npx vitest *, npx jest *, npx playwright test *, npx tsc *, npx eslint *, npx biome check *
  pytest *, python -m pytest *, python3 -m pytest *, uv run pytest *, tox *
  cargo test *, cargo check *, cargo clippy *, go test *, go vet *
  make test *, make check *, make lint *, mvn test *, gradle test *, ./gradlew test *
  bundle exec rspec *, rspec *, ctest *, phpunit *, dotnet test *, swift test *
`);

const changing = commands(`
  mkdir *, touch *, cp *, mv *, rm *
  git add *, git commit *, git rm *, git mv *, git restore *, git checkout *, git switch *, git merge *, git rebase *
  git cherry-pick *, git revert *, git stash *, git fetch *
  npm run *, pnpm run *, pnpm build *, yarn run *, yarn build *, bun run *, npx prettier *, npx biome *
  cargo build *, cargo run *, cargo fmt *, go build *, go run *, go fmt *, go generate *
  make *, cmake *, mvn compile *, gradle build *, ./gradlew build *, dotnet build *, swift build *
`);

const installing = commands(`
  npm ci *, npm install *, npm i *, pnpm install *, pnpm add *, yarn, yarn install *, yarn add *, bun install *
  bun add *, uv sync *, uv add *, pip install *, cargo add *, go get *, go mod tidy *, bundle install *
`);

const gitWrites = commands(`
  git add *, git commit *, git push *, git pull *, git merge *, git rebase *, git reset *, git checkout *, git switch *
  git restore *, git rm *, git mv *, git stash *, git tag *, git cherry-pick *, git revert *, git am *, git apply *
  git clean *, git worktree *, git update-ref *, git config *
`);

const testFiles = ['test', 'tests', '__tests__', '__mocks__', 'spec', '__snapshots__']
  .map((folder) => `Edit(./**/${folder}/**)`)
  .concat(
    ['*.test.*', '*.spec.*', '*_test.*', '*_spec.*', 'test_*.*', 'conftest.py'].map((name) => `Edit(./**/${name})`),
  );

const editing = 'Edit(./**)';

const preset = (lists: Partial<Rules>): Rules => mapRules((list: RuleList) => lists[list] ?? []);

/** What of a preset holds for a worker: in a sandbox commands need no rule, and without prompts nothing needs one. */
export type PresetUse = 'all' | 'sandboxed' | 'unasked';

export function presetFor(name: PresetName, use: PresetUse): Rules {
  const { allow, ...rest } = presets[name];
  const isShell = (rule: string) => rule === 'Bash' || rule.startsWith('Bash(');
  if (use === 'all') return { allow, ...rest };
  return { allow: use === 'unasked' ? [] : allow.filter((rule) => !isShell(rule)), ...rest };
}

export const presets: Readonly<Record<PresetName, Rules>> = {
  full: preset({ allow: ['Bash', editing, 'Read', 'WebFetch', 'WebSearch'] }),
  implement: preset({ allow: [editing, ...looking, ...testing, ...changing, ...installing] }),
  fix: preset({ allow: [editing, ...looking, ...testing, ...changing] }),
  test: preset({ allow: [...testFiles, ...looking, ...testing], deny: ['Bash(git push *)'] }),
  review: preset({ allow: [...looking, ...testing], deny: [...noEditing, ...gitWrites] }),
  explore: preset({ allow: looking, deny: [...noEditing, ...gitWrites] }),
};
