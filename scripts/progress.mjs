const delayMs = 500;

/**
 * Reports the title and the duration of a step on standard error, if it takes longer than 0.5 s. A terminal also shows
 * the last line that the program printed. Other output gets the elapsed seconds every ten seconds.
 */
export function reportProgress(title, stream = process.stderr) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let lastLine = '';
  let interval;
  const draw = () =>
    stream.write(`\r\u001B[K${`${title} … ${seconds().toFixed(0)} s  ${lastLine}`.slice(0, stream.columns - 1)}`);
  const delay = setTimeout(() => {
    stream.write(`${title} … `);
    interval = stream.isTTY
      ? setInterval(draw, 500)
      : setInterval(() => stream.write(`${seconds().toFixed(0)} s … `), 10_000);
  }, delayMs);
  return {
    note: (text) => {
      const line = text.trimEnd().split('\n').at(-1).trim();
      // Turbo's notices about itself.
      if (!line.startsWith('•')) lastLine = line;
    },
    end: (isSuccess) => {
      clearTimeout(delay);
      clearInterval(interval);
      if (!interval && isSuccess) return;
      if (stream.isTTY || !interval) stream.write(`${stream.isTTY ? '\r\u001B[K' : ''}${title} … `);
      stream.write(`${isSuccess ? '' : 'failed after '}${seconds().toFixed(1)} s\n`);
    },
  };
}
