/** Replaces whatever looks like an API key, for text that is logged or sent and may repeat what a client sent. */
export function hideKeys(bootstrapApiKey?: string): (text: string) => string {
  if (bootstrapApiKey === undefined) return hideMadeKeys;
  const escaped = JSON.stringify(bootstrapApiKey).slice(1, -1);
  return (text) => hideMadeKeys(text).replaceAll(bootstrapApiKey, '…').replaceAll(escaped, '…');
}

function hideMadeKeys(text: string): string {
  return text.replaceAll(/psk_[A-Za-z0-9_-]{16,}/g, 'psk_…');
}
