import { z } from 'zod';

/** Schemas that several messages share. */
export const seat = z.int().min(0).max(99);
export const tableId = z.string().regex(/^[A-Za-z0-9_-]{1,60}$/);
export const playerName = z.string().regex(/^[^\p{C}]{1,100}$/u);
/** A text that a database can store: without U+0000 and lone surrogates. Every text that comes from outside and is stored, or searched for, is one. */
export const storable = z
  .string()
  .refine((said) => said.isWellFormed() && !said.includes('\0'), 'invalid text: it contains U+0000 or a lone surrogate');
/** The name of a key of a program, which is its name at tables too, where a number may follow it. */
export const agentName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,19}$/u, 'the name of an agent has up to 20 letters, digits, _ - and ., a letter or digit first');
/** A long one. Whether it is valid speech is up to the rules. */
export const text = storable.max(8000);
/** An object of any shape whose texts can be stored, its keys included. */
export const storableObject = z.looseObject({}).refine(hasStorableTexts, 'invalid text: one contains U+0000 or a lone surrogate');
/** Ids of questions and rooms: `round-1/day-2/vote`. They are used as keys, so names that every JavaScript object has are invalid. */
export const place = z
  .string()
  .regex(/^(?!(?:__\w+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf)$)[\w/.-]{1,200}$/);
/** A name from outside that is stored but never shown as speech: a seed, a recipe, a model. */
export const word = z.string().regex(/^[^\p{C}]{1,200}$/u, 'write a line of 1 to 200 characters');
export const instant = z.int().nonnegative().meta({ description: 'Milliseconds since the epoch.' });
export const eye = z.union([seat, z.enum(['audience', 'narrator'])]);
export const holder = z.enum(['mind', 'person']);

/** The parameters of a recipe that were chosen for a seat. */
export const recipeParameters = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,59}$/, 'a parameter has up to 60 letters and digits, a letter first'),
    z.union([word, z.number(), z.boolean()]),
  )
  .refine((given) => Object.keys(given).length <= 50, 'at most 50 parameters')
  .optional()
  .meta({ description: 'Parameters of the recipe; absent: its defaults.' });

export const seatPlan = z.object({
  kind: holder,
  recipe: word.optional(),
  parameters: recipeParameters,
  model: word.optional(),
  name: playerName.optional(),
  isOutside: z.literal(true).optional().meta({
    description:
      'Of a person: an outside agent sits there. Its server alone may take the seat, or with `agent` its key; a table where that one is missing ends in the Lobby.',
  }),
  agent: agentName.optional().meta({ description: 'Of a person: a program sits there, and a key of this name alone takes the seat.' }),
});

/** A question as the asked seat sees it. */
export const asking = z.object({
  id: place,
  verb: z.enum(['say', 'tell', 'choose']),
  options: z
    .array(z.object({ is: z.string().max(100), named: z.string().max(100) }))
    .max(200)
    .meta({ description: 'What this seat may choose: the option and its name for people.' }),
  pick: z.int().positive(),
  until: instant,
  final: z.boolean().meta({ description: 'false: the answer may be changed until the question settles.' }),
  graceMs: z.int().nonnegative().optional().meta({
    description:
      'A majority settles the question only after it has stood so long, in milliseconds. Absent: at once, or there is no majority.',
  }),
  room: z.string().max(100).optional(),
  maxChars: z.int().positive(),
  last: z.string().max(100).optional().meta({ description: 'Not final: whoever has said this text is not asked any more.' }),
  secret: z
    .literal(true)
    .optional()
    .meta({ description: 'Not everybody may know of the question, or nobody learns the answer: no trace shows it.' }),
});

/** One line of a room. Speech has `by`; without it, the line is an announcement of the gamemaster. */
export const line = z.object({
  line: z.int().positive().meta({ description: 'The number within the room: 1, 2, 3 ...' }),
  by: seat.optional(),
  text,
  says: z.array(text).max(20).optional().meta({ description: 'The chosen options, when the line announces a vote.' }),
  at: instant,
});

/** One event of a tape as an eye sees it, numbered without gaps for that eye. */
export const seen = z.object({
  n: z.int().positive(),
  at: instant,
  event: z.looseObject({ type: z.string() }).meta({ description: 'The projected event.' }),
  text: text.optional().meta({ description: 'The event as a sentence.' }),
  room: z.string().max(200).optional(),
  line: z.int().positive().optional().meta({ description: 'The line of `room` that it became.' }),
  isPublic: z.literal(true).optional().meta({ description: 'Everybody sees this sentence, the audience included.' }),
});

/** The time at a table, the same for every eye. */
export const clock = z.object({
  now: instant.meta({ description: 'The time by which the table is played.' }),
  phase: z.string().max(100).optional().meta({ description: 'The public name of the phase, such as `round-1/night-1`.' }),
  until: instant.optional().meta({ description: 'When the phase ends at the latest, as far as everybody may know.' }),
  pausedSince: instant.optional(),
});

/** What led to an event. */
export const cause = z.object({
  id: z.string().meta({ description: 'The id of the message that led to the event.' }),
  decision: z.string().optional().meta({ description: 'The decision of a mind that sent the message; `mind.thoughts` returns it.' }),
});

/** To whom the narrator's view and every eye open once the table is over. Administrators always have them. */
export const afterwards = z.enum(['nobody', 'seats', 'everybody']).meta({
  description:
    'Who may see everything once the table is over: nobody but administrators, also those who held its seats, or also its spectators.',
});
/** Who may read what minds thought. Administrators always may. */
export const insight = z.enum(['never', 'after', 'live']).meta({
  description:
    'Who may read the thoughts of minds: nobody but administrators, also whoever may see everything once the table is over, or also whoever may see everything while it runs.',
});

export const tableStage = z.enum(['lobby', 'round', 'pause', 'over']);

/** The public summary of a table. */
export const tableSummary = z.object({
  table: tableId,
  rules: z.string(),
  stage: tableStage,
  round: z.int().nonnegative(),
  rounds: z.int().positive(),
  players: z.array(z.object({ seat, name: playerName.optional(), points: z.number() })),
  free: z.int().nonnegative().meta({ description: 'Free seats for people.' }),
  opened: instant,
  spectators: z.enum(['audience', 'narrator']),
  afterwards: afterwards.default('nobody'),
  insight: insight.default('never'),
  pausedSince: instant.optional(),
  winners: z.array(seat).optional(),
  agents: z
    .array(z.object({ seat, agent: agentName.meta({ description: 'The name of its key.' }) }))
    .optional()
    .meta({ description: 'The seats of programs. Stored, and told in a list for one program: of its own seats only.' }),
  isAborted: z.literal(true).optional().meta({ description: 'The table was ended by an administrator: no winners, no points.' }),
});

/** A summary as it is written: one of an old table says nothing about what opens afterwards. */
export type TableSummary = z.input<typeof tableSummary>;

export const player = z.object({ seat, name: playerName, alive: z.boolean() });

/** `JSON.stringify` escapes just these; a backslash of the text is itself escaped. */
function hasStorableTexts(value: object): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(JSON.stringify(value));
}
