/** Returns a function that replaces API keys in a text. What is logged or sent may repeat what a client sent. */
export function hideKeys(bootstrapApiKey?: string): (text: string) => string {
  if (bootstrapApiKey === undefined) return hideGeneratedKeys;
  const escaped = JSON.stringify(bootstrapApiKey).slice(1, -1);
  return (text) => hideGeneratedKeys(text).replaceAll(bootstrapApiKey, '…').replaceAll(escaped, '…');
}

function hideGeneratedKeys(text: string): string {
  return text.replaceAll(/psk_[A-Za-z0-9_-]{16,}/g, 'psk_…');
}
