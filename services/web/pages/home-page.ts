import type { Request, Response } from 'express';
import { sendJson } from '@maw/http/response.ts';
import { sendStaticFile, type StaticFiles } from './static-files.ts';

const DOCUMENT = {
  name: 'MAW',
  description: 'The HTTP API of a system in which agents and people play Werewolf, Avalon and related games.',
  authorization: 'Every address of a link below needs the header `Authorization: Bearer TOKEN`.',
  play: './maw play --at ADDRESS --token TOKEN --human NAME',
  openapi: '/openapi.json',
  links: { rules: '/rules', tables: '/tables' },
};

/** Says what this address is: with the console to browsers, if there is one, and with JSON otherwise. Returns the status. */
export function sendHomePage(req: Request, res: Response, console: StaticFiles | undefined): number {
  if (console && req.accepts(['json', 'html']) === 'html') return sendStaticFile(console.index, req, res);
  sendJson(res, 200, DOCUMENT, { Vary: 'Accept' });
  return 200;
}
