/** Copies a text. Where the clipboard is closed to pages (plain HTTP in a network), the text is shown to be copied by hand. */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  try {
    if (!clipboard) throw new Error('no clipboard');
    await clipboard.writeText(text);
  } catch {
    prompt('', text);
  }
}
