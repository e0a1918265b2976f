import { describe } from 'vitest';
import { completesIn } from './completion.ts';

describe('bash', () => completesIn('bash', 'bash --norc --noprofile -i'));
