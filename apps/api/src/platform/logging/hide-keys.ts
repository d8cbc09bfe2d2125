/** Replaces whatever looks like an API key, for text that is logged or sent and may repeat what a client sent. */
export function hideKeys(bootstrapApiKey?: string): (text: string) => string {
  return (text) => {
    const hidden = text.replaceAll(/psk_[A-Za-z0-9_-]{16,}/g, 'psk_…');
    return bootstrapApiKey === undefined ? hidden : hidden.replaceAll(bootstrapApiKey, '…');
  };
}
