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
  openLead: 'A code of ten letters stands for an invitation to a table, or for a game to watch. Whoever sent it can make another.',
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
