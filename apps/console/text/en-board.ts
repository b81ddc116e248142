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
    copied: 'copied: {what}',
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

/** What the page says of short links and of another game with the same people. */
export const links = {
  title: 'Share',
  audience: 'Whoever has this link watches, and sees what everybody may know.',
  afterwards: 'Whoever has this link watches the whole game, and sees everything.',
  make: 'Make a link',
  made: 'Links that were made',
  revoke: 'Take it back',
  revoked: 'taken back',
  until: 'until {time}',
  kinds: { join: 'invitation', seat: 'seat', spectator: 'to watch' },
  seat: '{kind}, seat {number}',
  onlyHere:
    'Only this machine can open this address. To invite others in your network, stop ./maw play and start it again with --lan: the game goes on where it was.',
  opening: 'The link is being opened …',
  openTitle: 'A link to a table',
  openLead:
    'A code of ten letters and digits stands for an invitation to a table, or for a game to watch. Whoever sent it can make another.',
  code: 'Code',
  open: 'Open it',
} as const;

export const again = {
  title: 'Another game',
  same: 'Play again',
  shuffled: 'Play again, with other seats',
  ask: 'Ask for another game',
  asked: 'Would play again: {names}.',
  waiting: 'You have asked. Whoever runs the evening can open the next game, and you are taken there.',
  sit: 'Take your seat in the next game',
  look: 'To the next game',
  record: '{name} on this system: {parts}.',
  tally: '{game}: {wins} of {count} won',
} as const;
