/** How a person is called to the table. None of it names a role or tells a secret: others may see the screen. */
export const call = {
  title: 'Calls',
  lead: 'How this browser calls you when something is asked of you and by night. It names no role, and calls everybody at nightfall alike.',
  sound: 'a sound',
  vibrate: 'a vibration',
  notify: 'a notification while you look elsewhere',
  needsHttps: 'Notifications need HTTPS or this machine’s own address.',
  refused: 'This browser does not permit notifications here.',
  asked: 'You are asked',
  yourTurn: 'Your turn to speak',
  night: 'Night has fallen. Look at your table.',
  left: '{time} · {text} · {name}',
} as const;
