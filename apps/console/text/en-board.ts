/** What the table shows of what was claimed, learnt and voted. */
export const board = {
  claims: 'Claims',
  noClaims: 'Nobody has claimed anything yet.',
  says: 'says',
  and: 'is',
  results: {
    'werewolf': 'a Werewolf',
    'not-werewolf': 'clean',
    'good': 'good',
    'evil': 'evil',
    'merlin-or-morgana': 'Merlin or Morgana',
    'protected': 'protected',
    'saved': 'saved',
    'poisoned': 'poisoned',
    'swapped': 'swapped',
    'robbed': 'robbed',
  },
  votes: 'Votes by proposal',
  known: {
    inspected: 'seen: {what}',
    divined: 'seen: {what}',
    identified: 'was {what}',
    told: 'was {what}',
    looked: 'seen: {what}',
    met: 'is {what}',
    saw: 'is {what}',
    protected: 'guarded',
    guarded: 'guarded',
    warned: 'attacked',
    attacked: 'attacked',
    saved: 'saved',
    poisoned: 'poisoned',
    swapped: 'swapped',
  },
} as const;

/** How a person is called to the table. None of it names a role or tells a secret: others may see the screen. */
export const call = {
  title: 'Calls',
  lead: 'How this browser calls you when something is asked of you and by night. It names no role, and calls everybody at nightfall alike.',
  sound: 'a sound',
  vibrate: 'a vibration',
  notify: 'a notification while you look elsewhere, if the browser permits it',
  asked: 'You are asked',
  yourTurn: 'Your turn to speak',
  night: 'Night has fallen. Look at your table.',
  left: '{time} · {text} · {name}',
} as const;
