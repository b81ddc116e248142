import { recipesWith } from '@maw/minds/recipes.ts';
import { serveContest } from './serve-contest.ts';

serveContest(recipesWith);
