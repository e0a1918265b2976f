// Here, since not every machine with Node, tmux and git has this shell.
import { describe } from 'vitest';
import { completesIn } from '../e2e/completion.ts';

describe('zsh', () => completesIn('zsh', 'zsh -f -i'));
