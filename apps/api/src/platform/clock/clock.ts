import { Injectable } from '@nestjs/common';

/** The time, in one place, so that a test can be in the year 2030. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
