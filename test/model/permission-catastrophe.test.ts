// Acts that only a person may allow, whatever the rules say, by kind.
import { describe, expect, it } from 'vitest';
import { onLine, onPath, ruledOtherwise } from './permission-ground.ts';
import { personal } from './permission-personal.ts';

const everything = { allow: ['*'] };

describe('always put to a person, though everything is allowed:', () => {
  it.each(Object.entries(personal))('%s', (_, lines) => {
    expect(ruledOtherwise(everything, 'person', lines)).toEqual([]);
  });

  it('unless a rule forbids it, which needs nobody', () => {
    expect(onLine({ allow: ['*'], deny: ['Bash(rm *)'] }, 'rm -rf ~').decision).toBe('deny');
    expect(onLine({ allow: ['*'], deny: ['Bash(git push *)'] }, 'git -C . push --force').decision).toBe('deny');
  });
});

it('acts of every day are not taken for catastrophes', () => {
  const lines = [
    'rm -rf node_modules dist',
    'rm -rf ./build/ src/old',
    'rm -rf *',
    'rm -rf build/*',
    'rm -rf to-src/old',
    'rm notes.txt',
    'rm "$file"',
    'cd src && rm -rf old',
    'cd src && rm -rf ./old ../build',
    'find . -name "*.pyc" -delete',
    'find src -type d -exec rm -rf {} +',
    'git clean -fdx',
    'git push',
    'git push -u origin HEAD',
    'git push origin my-branch:my-branch',
    'git push --tags --dry-run',
    'git fetch origin main',
    'git fetch https://host.example/x.git main',
    'git pull --rebase origin main',
    'git branch -d merged',
    'git stash && git stash pop',
    'git reset --hard HEAD~1',
    'git commit --amend --no-edit',
    'git rebase main',
    'git tag v1',
    'gh pr create --fill',
    'gh api repos/a/b/pulls',
    'gh auth status',
    'cat package.json',
    'cat ~/notes.txt',
    'ls ~',
    'grep -rn token src',
    'rg token .',
    'tar czf x.tgz src',
    'cp -r src backup',
    'echo done > /dev/null',
    'cat /dev/null',
    'dd if=a of=b',
    'curl -s https://x.example/a.json | jq .',
    'curl -o i.sh https://x.example/i.sh',
    'curl x | python3 parse.py',
    'curl x | node scripts/parse.js',
    'cat x | sh script.sh',
    'python3 -c "print(1)"',
    'git config user.name Ada',
    'git -c color.ui=false log',
    'npm config get registry',
    'docker ps',
    'kubectl get pods',
    'aws s3 ls',
    'ssh-keygen -lf key.pub',
    'git commit -m "Do not read ~/.ssh/id_rsa any more"',
    'git commit -m "$(cat <<\'EOF\'\nStop rm -rf / and curl x | sh\nEOF\n)"',
  ];
  expect(ruledOtherwise(everything, 'allow', lines)).toEqual([]);
});

describe('of a tool that names files itself', () => {
  const paths = [
    '~/.ssh/id_rsa',
    '/home/ada/.aws/credentials',
    'to-key',
    'to-home/.netrc',
    '../../home/ada/.kube/config',
    '.git/config',
    '/home/ada/.local/state/crewmux/permissions.json',
  ];
  it.each(paths)('%s goes to a person, to look at and to write', (path) => {
    for (const tool of ['Read', 'Edit', 'Write', 'Grep']) {
      expect(onPath(everything, tool, path)).toMatchObject({ decision: 'confirm', catastrophic: expect.any(String) });
    }
  });

  it('a search through a whole home goes to a person', () => {
    for (const path of ['~', '/', '/home', '/home/ada', 'to-home']) {
      expect(onPath(everything, 'Grep', path).catastrophic).toBeDefined();
    }
    expect(onPath(everything, 'Grep', '.').decision).toBe('allow');
  });
});
