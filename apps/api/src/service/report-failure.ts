import { pino } from 'pino';
import { explainAndExit, explanationOf, ReportedFailure } from '../platform/errors/startup-error.js';
import { createLogger, isPretty } from '../platform/logging/logger.js';
import { withProgramNames } from '../platform/process.js';

/** Reports why the service could not start, in the format of its log, and exits. The configuration may be the reason. */
export function reportAndExit(error: unknown): never {
  const { LOG_FORMAT: format, BOOTSTRAP_API_KEY: bootstrapApiKey } = process.env;
  const isText = format === 'pretty' || (format !== 'json' && isPretty({}));
  if (isText || error instanceof ReportedFailure) explainAndExit(error);
  const explained = explanationOf(error);
  const destination = pino.destination({ fd: 2, sync: true });
  const logger = createLogger({ logLevel: 'fatal', ...(bootstrapApiKey && { bootstrapApiKey }) }, destination);
  if (explained) logger.fatal(withProgramNames(explained.message));
  else logger.fatal({ err: error }, 'The service could not start.');
  process.exit(explained?.exitCode ?? 1);
}
