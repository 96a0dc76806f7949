import { total_0 } from '0.js';
import { total_1 } from '1.js';
import * as third from '2.js';

async () => total_0([]).sum + total_1([]).sum + third.total_2([]).sum
