import { Type } from 'class-transformer';
import { IsEnum, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { PetStatus } from './generated/enums.js';

export class ListPetsDto {
  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  after?: number;
}

export class CreatePetDto {
  @IsString()
  @Length(1, 200)
  name!: string;

  @IsInt()
  categoryId!: number;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;
}
