import { readRecipeFile, recipes } from '@maw/minds/recipes.ts';
import { serveContest } from './serve-contest.ts';

export default serveContest((files) => [...recipes, ...files.map(readRecipeFile)]);
