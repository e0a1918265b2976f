// Rules that come with a name, for what a worker is there to do.
import type { PolicyLayer } from './permission.ts';

export const presetNames = ['full', 'implement', 'fix', 'test', 'review', 'explore'] as const;
export type PresetName = (typeof presetNames)[number];

const commands = (lines: string): readonly string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `Bash(${line})`);

const looking = commands(`
  ls *
  pwd
  cat *
  head *
  tail *
  wc *
  grep *
  rg *
  find *
  tree *
  file *
  stat *
  du *
  which *
  sort *
  cut *
  diff *
  jq *
  basename *
  dirname *
  realpath *
  echo *
  git status *
  git diff *
  git log *
  git show *
  git blame *
  git shortlog *
  git grep *
  git ls-files *
  git rev-parse *
  git merge-base *
  git describe *
  git branch
  git branch --show-current
  git branch --list *
  git branch -a
  git branch -v
  git branch -vv
`);

const testing = commands(`
  npm test *
  npm t
  npm run test*
  npm run lint*
  npm run check*
  npm run typecheck*
  pnpm test *
  pnpm run test*
  pnpm lint *
  yarn test *
  yarn lint *
  bun test *
  npx vitest *
  npx jest *
  npx playwright test *
  npx tsc *
  npx eslint *
  npx biome check *
  vitest *
  jest *
  tsc *
  pytest *
  python -m pytest *
  python3 -m pytest *
  uv run pytest *
  tox *
  cargo test *
  cargo check *
  cargo clippy *
  go test *
  go vet *
  make test *
  make check *
  make lint *
  mvn test *
  gradle test *
  ./gradlew test *
  bundle exec rspec *
  rspec *
  ctest *
  phpunit *
  dotnet test *
  swift test *
`);

const changing = commands(`
  mkdir *
  touch *
  cp *
  mv *
  rm *
  git add *
  git commit *
  git rm *
  git mv *
  git restore *
  git checkout *
  git switch *
  git merge *
  git rebase *
  git cherry-pick *
  git revert *
  git stash
  git stash push *
  git stash pop *
  git fetch
  git fetch origin
  npm run *
  pnpm run *
  pnpm build *
  yarn run *
  yarn build *
  bun run *
  npx prettier *
  npx biome *
  cargo build *
  cargo run *
  cargo fmt *
  go build *
  go run *
  go fmt *
  go generate *
  make *
  cmake *
  mvn compile *
  gradle build *
  ./gradlew build *
  dotnet build *
  swift build *
`);

const installing = commands(`
  npm ci *
  npm install *
  npm i *
  pnpm install *
  pnpm add *
  yarn
  yarn install *
  yarn add *
  bun install *
  bun add *
  uv sync *
  uv add *
  pip install *
  cargo add *
  go get *
  go mod tidy *
  bundle install *
`);

const gitWrites = commands(`
  git add *
  git commit *
  git push *
  git pull *
  git merge *
  git rebase *
  git reset *
  git checkout *
  git switch *
  git restore *
  git rm *
  git mv *
  git stash *
  git tag *
  git cherry-pick *
  git revert *
  git am *
  git apply *
  git clean *
  git worktree *
  git update-ref *
  git config *
  git notes *
  git replace *
  git gc *
`);

const testFiles = [
  'test/**',
  'tests/**',
  '**/__tests__/**',
  '**/__mocks__/**',
  '**/test/**',
  '**/tests/**',
  '**/spec/**',
  '**/*.test.*',
  '**/*.spec.*',
  '**/*_test.*',
  '**/*_spec.*',
  '**/test_*.*',
  '**/conftest.py',
  '**/__snapshots__/**',
].map((glob) => `Edit(${glob})`);

type Preset = Omit<PolicyLayer, 'scope'>;

const presets: Readonly<Record<PresetName, Preset>> = {
  full: { allow: ['*'], confirm: [], deny: [] },
  implement: {
    allow: ['Edit(**)', 'Read(**)', 'WebSearch', ...looking, ...testing, ...changing, ...installing],
    confirm: [],
    deny: [],
    inside: true,
  },
  fix: { allow: ['Edit(**)', 'Read(**)', ...looking, ...testing, ...changing], confirm: [], deny: [], inside: true },
  test: {
    allow: [...testFiles, 'Read(**)', ...looking, ...testing],
    confirm: ['Edit', 'Bash'],
    deny: ['Bash(git push *)'],
    inside: true,
  },
  review: {
    allow: ['Read(**)', 'WebSearch', ...looking, ...testing],
    confirm: ['Bash'],
    deny: ['Edit', ...gitWrites],
    inside: true,
  },
  explore: {
    allow: ['Read(**)', 'WebSearch', ...looking],
    confirm: ['Bash'],
    deny: ['Edit', ...gitWrites],
    inside: true,
  },
};

export const presetLayer = (name: PresetName): PolicyLayer => ({ scope: `preset:${name}`, ...presets[name] });
