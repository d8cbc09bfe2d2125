import { Injectable } from '@nestjs/common';

/** The current time. Tests replace this provider to set it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
