import { readRecipeFile } from '@maw/minds/recipe/read-recipes.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { stepKinds } from '@maw/minds/step-kinds.ts';
import { serveContest } from './serve-contest.ts';

export default serveContest((files) => [...recipes, ...files.map((file) => readRecipeFile(file, stepKinds))]);
