import type { AnswerOf, BodyOf } from '@maw/contracts/http/routes.ts';

// Names for what the routes of the HTTP API declare.

export type View = AnswerOf<'GET /tables/:table/view'>;
/** One event of a view. */
export type Seen = View['seen'][number];
export type Summary = View['summary'];
export type Stage = Summary['stage'];
/** A question as the asked seat sees it. */
export type Asking = View['asked'][number];
/** What a seat may do now. */
export type Asked = Pick<View, 'asked' | 'brief' | 'alive' | 'life' | 'holder'>;
/** The time of the server, and how long the phase lasts as everybody may know. */
export type Clock = NonNullable<View['clock']>;
/** Whom a token stands for. */
export type Me = AnswerOf<'GET /me'>;
export type RuleSetInfo = AnswerOf<'GET /rules/:name'>;
export type RecipeInfo = AnswerOf<'GET /recipes'>['recipes'][number];
/** What can be chosen of a recipe. */
export type Parameter = RecipeInfo['parameters'][number];
/** How often one kind of player has won. */
export type Rank = AnswerOf<'GET /leaderboard'>['rows'][number];
/** What a table is opened with. */
export type TableTerms = BodyOf<'POST /tables'>;
/** How a seat is to be filled. */
export type SeatPlan = NonNullable<TableTerms['seats']>[number];
export type IssuedToken = AnswerOf<'POST /tokens'>;
