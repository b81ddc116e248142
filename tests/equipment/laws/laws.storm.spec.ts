import { catalogue } from '@maw/games/catalogue.ts';
import { laws } from './laws.suite.ts';

for (const set of catalogue) laws(set);
