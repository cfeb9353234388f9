import{n as e}from"./rolldown-runtime-CNOWq4Kh.js";import{$ as t,D as n,E as r,F as i,I as a,O as o,Q as s,S as c,_ as l,b as u,et as d,k as f,nt as p,rt as m,st as h,tt as g,v as _,x as v,y}from"./operations-CfKgbG7R.js";import{$o as b,Ba as x,Ha as S,Lo as C,Qa as w,Qo as T,Ra as E,Ro as D,Ss as ee,Va as te,Xa as ne,Za as re,_o as ie,_s as O,as as k,bo as ae,cs as oe,da as se,do as ce,ds as le,eo as ue,es as A,fo as de,fs as fe,go as pe,ho as me,hs as he,is as ge,la as _e,ls as ve,ms as ye,ns as j,os as be,po as xe,ps as Se,rs as Ce,ss as we,ua as Te,us as M,vo as Ee,vs as De,xo as Oe,xs as N,yo as ke,zo as Ae}from"./lab-d0RSn1QS.js";import{Ct as je,D as Me,E as Ne,Et as Pe,St as Fe,T as Ie,Tt as Le,bt as Re,wt as ze,xt as Be}from"./cpu-DbYph_6Y.js";function Ve(e){let t=new qe;for(let[n,r]of e)t.add(n,r);let n=Ue(t.values.slice()),r=Uint32Array.from(n,(e,t)=>t),{values:i}=t;for(let e=0;e<i.length;e+=2){let[t,a]=[h(r,He(n,i[e])),h(r,He(n,i[e+1]))];t!==a&&(r[Math.max(t,a)]=Math.min(t,a))}let[a,o]=[new Float64Array(n.length),new Float64Array(n.length)],s=0;for(let e=0;e<n.length;e++){let t=h(r,e);t!==e&&(a[s]=n[e],o[s++]=n[t])}return{ids:a.slice(0,s),roots:o.slice(0,s)}}function He(e,t){let[n,r]=[0,e.length];for(;n<r;){let i=Math.floor((n+r)/2);e[i]<t?n=i+1:r=i}return n}function Ue(e){e.sort();let t=0;for(let n=0;n<e.length;n++)(n===0||e[n]!==e[n-1])&&(e[t++]=e[n]);return e.slice(0,t)}function We(e,t){let n=[];for(let r=-t;r<=t;r++)for(let t=-e;t<=e;t++)n.push([t,r]);return n}function*Ge(e,t,n,r){let i=Je[r],[a,o]=[e.labels,t.labels],[s,c]=[0,0];for(let r=0;r<o.length;r++){let l=o[r];if(l===0)continue;let u=r%n;for(let[o,d]of i){let i=u+o>=0&&u+o<n?a[r+d*n+o]:0;!i||i===s&&l===c||([s,c]=[i,l],yield[e.first+i-1,t.first+l-1])}}}function Ke(e,{ids:t,roots:n}){let r=[],i=[],a=0;for(let o of e){let[e,s]=[He(t,a),He(t,a+o)],c=new Uint32Array(2*(s-e));for(let r=e;r<s;r++)c[2*(r-e)]=t[r]-a+1,c[2*(r-e)+1]=n[r]+1-He(t,n[r]);r.push(a-e),i.push(c),a+=o}let o=a-t.length;if(o>=2**32)throw new O(`Expected fewer than 2^32 objects, got ${o}.`);return{bases:r,joined:i,count:o}}var qe,Je;function Ye(){return(Ye=e((()=>{N(),qe=class{#e=new Float64Array(256);#t=0;add(e,t){if(this.#t===this.#e.length){let e=new Float64Array(this.#t*2);e.set(this.#e),this.#e=e}this.#e[this.#t++]=e,this.#e[this.#t++]=t}get values(){return this.#e.subarray(0,this.#t)}},Je={4:[[0,0]],8:We(1,0),6:[[0,0]],18:We(1,1).filter(([e,t])=>e===0||t===0),26:We(1,1)}})))()}var P,Xe;function Ze(){return(Ze=e((()=>{P={around:`override CONNECTIVITY: u32 = 8u;
override REACH_Z: i32 = 0;
fn joins(x: i32,y: i32,z: i32)-> bool{
let n = abs(x)+ abs(y)+ abs(z);
if(CONNECTIVITY == 4u || CONNECTIVITY == 6u){return n == 1;}
if(CONNECTIVITY == 18u){return n == 1 || n == 2;}
return n > 0;
}
fn placeOf(at: vec3i)-> u32{
return(u32(at.z)* parameters.height + u32(at.y))* parameters.width + u32(at.x);
}
fn positionOf(place: u32)-> vec3i{
let row = place / parameters.width;
return vec3i(vec3u(place % parameters.width,row % parameters.height,row / parameters.height));
}
fn isInside(at: vec3i)-> bool{
return all(at >= vec3i(0))&& at.x < i32(parameters.width)&& at.y < i32(parameters.height)&& at.z < i32(parameters.depth);
}
fn stepFrom(place: u32,x: i32,y: i32,z: i32)-> u32{
return u32(i32(place)+(z * i32(parameters.height)+ y)* i32(parameters.width)+ x);
}
`,cells:`override CELL: u32 = 1u;
const COLUMNS = 4u;
const ROWS = 32u;
fn startsOf(word: u32)-> u32{
return word & ~(word << 1u);
}
fn wordAt(column: u32,row: u32)-> u32{
return bits[(row + 1u)* parameters.words + column];
}
fn cellOf(word: u32,column: u32,row: u32)-> u32{
if(CELL == 1u){return word;}
return word | wordAt(column,row ^ 1u);
}
fn cellAt(column: u32,row: u32)-> u32{
return cellOf(wordAt(column,row),column,row);
}
fn lowestSegment(cell: u32)-> u32{
return cell & ~(cell +(cell &(0u - cell)));
}
fn segmentOf(starts: u32,bit: u32)-> u32{
return countOneBits(starts &((2u << bit)- 1u))- 1u;
}
fn segmentsAt(column: u32,row: u32)-> u32{
return(row / CELL * parameters.words + column)* 8u;
}
fn componentAt(first: u32,k: u32)-> u32{
return(segments[first +(k >> 1u)] >>((k & 1u)* 16u))& 0xffffu;
}
fn firstNode(column: u32,row: u32)-> u32{
return tileTable[(row / CELL / ROWS)* parameters.tileColumns + column / COLUMNS].x;
}
fn node(column: u32,row: u32,k: u32)-> u32{
return firstNode(column,row)+ componentAt(segmentsAt(column,row),k);
}
`,"centre-cost":`override L1: bool = false;
fn cost(a: vec3u,b: vec3u)-> u32{
let d = vec3u(abs(vec3i(a)- vec3i(b)));
if(L1){return d.x + d.y + d.z;}
return d.x * d.x + d.y * d.y + d.z * d.z;
}
`,"colour-keys":`fn spread(v: u32)-> u32{
var x =(v |(v << 8u))& 0x00f00fu;
x =(x |(x << 4u))& 0x0c30c3u;
return(x |(x << 2u))& 0x249249u;
}
fn everyThird(v: u32)-> u32{
var x = v & 0x249249u;
x =(x |(x >> 2u))& 0x0c30c3u;
x =(x |(x >> 4u))& 0x00f00fu;
return(x |(x >> 8u))& 0xffu;
}
`,counters:`const NODES = 0u;
const COMPONENTS = 1u;
const PIXELS = 2u;
const RUNS = 3u;
`,"distance-cost":`override INPUT: u32 = 0u;
override FLOAT: bool = false;
override METRIC: u32 = 0u;
fn infinity()-> u32{
return select(0x3fffffffu,0x7f800000u,FLOAT);
}
fn costOf(steps: i32,weight: u32)-> u32{
if(FLOAT){
let s = abs(f32(steps))* bitcast<f32>(weight);
return bitcast<u32>(select(s,s * s,METRIC == 0u));
}
let s = u32(abs(steps))* weight;
return select(s,s * s,METRIC == 0u);
}
fn costOf4(first: i32)-> vec4u{
if(FLOAT){
let s = abs(f32(first)+ vec4f(0.0,1.0,2.0,3.0))* bitcast<f32>(parameters.weight);
return bitcast<vec4u>(select(s,s * s,METRIC == 0u));
}
let s = vec4u(abs(first + vec4i(0,1,2,3)))* parameters.weight;
return select(s,s * s,METRIC == 0u);
}
fn unpacked(value: u32)-> u32{
return select(costOf(i32(value & 0x7fffu),parameters.stepX),infinity(),value == 0xffffu);
}
fn first4(pair: u32)-> u32{
return pair +(pair & ~31u);
}
`,exact:`struct Sums{
high: vec2i,
low: vec2i,
}
fn halvesOf(both: u32)-> vec2i{
return vec2i(i32(both << 16u),i32(both))>> vec2u(16u);
}
fn withPair(given: Sums,before: vec2i,behind: vec2i,step: u32)-> Sums{
let weight = weights[step - 1u];
let both = before + behind;
var sums = Sums(given.high + both * weight.x,given.low + both * weight.y);
if(step % 63u == 0u){
sums.high += sums.low >> vec2u(8u);
sums.low &= vec2i(255);
}
return sums;
}
fn meansOf(sums: Sums)-> u32{
let means =(sums.high +((sums.low + vec2i(1 << 23u))>> vec2u(8u)))>> vec2u(16u);
let narrow = clamp(means,vec2i(-32768),vec2i(32767));
return(u32(narrow.x)& 0xffffu)|(u32(narrow.y)<< 16u);
}
`,find:`fn find(x: u32)-> u32{
var at = x;
var above = atomicLoad(&parents[at]);
while(above != at){
let next = atomicLoad(&parents[above]);
if(next != above){atomicStore(&parents[at],next);}
at = above;
above = next;
}
return at;
}
`,"float-keys":`const POSITIVE_INFINITY = 0xff800000u;
const NEGATIVE_INFINITY = 0x007fffffu;
fn key(bits: u32)-> u32{
if(bits == 0x80000000u){return 0x80000000u;}
return select(bits | 0x80000000u,~bits,(bits & 0x80000000u)!= 0u);
}
`,"label-table":`const NOWHERE = 0xffffffffu;
fn slotOf(label: u32)-> u32{
var slot =(label * 2654435761u)>> countLeadingZeros(SLOTS - 1u);
if((SLOTS &(SLOTS - 1u))!= 0u){slot %= SLOTS;}
for(var probe = 0u;probe < 8u;probe++){
loop{
let exchange = atomicCompareExchangeWeak(&keys[slot],0u,label);
if(exchange.exchanged || exchange.old_value == label){return slot;}
if(exchange.old_value != 0u){break;}
}
slot =(slot + 1u)% SLOTS;
}
return NOWHERE;
}
`,links:`fn firstsOf(foreground: u32,left: u32)-> u32{
return foreground & ~(left & 0xfffffffeu);
}
fn firstsAt(word: u32)-> u32{
return firstsOf(links[word],links[parameters.total + word]);
}
fn stretchOf(word: u32,firsts: u32,bit: u32)-> u32{
return word * 32u + countOneBits(firsts &((2u << bit)- 1u))- 1u;
}
struct Rows{
left: u32,
over: u32,
straight: u32,
carry: u32,
next: u32,
}
fn straightLinks(rows: Rows)-> u32{
return rows.straight & ~(((rows.straight << 1u)| rows.carry)& rows.left & rows.over);
}
fn leftwardLinks(leftward: u32,rows: Rows)-> u32{
return leftward & ~(rows.left &((rows.straight << 1u)| rows.carry))& ~(rows.straight & rows.over);
}
fn rightwardLinks(rightward: u32,rows: Rows)-> u32{
return rightward & ~((rows.left >> 1u)&(rows.straight >> 1u))& ~(rows.straight &((rows.over >> 1u)| rows.next));
}
fn rowsAt(word: u32,left: u32,back: u32,p: u32)-> Rows{
let other = parameters.total + word - back;
let plane = p * parameters.total + word;
return Rows(left,links[other],links[plane],links[plane - 1u] >> 31u,links[other + 1u] << 31u);
}
`,meetings:`fn overlaps(row: u32,starts: u32,other: u32,otherStarts: u32)-> u32{
return(otherStarts & row)|(starts & other & ~otherStarts);
}
fn firstOfStretches(pairs: u32,both: u32)-> u32{
let inside = pairs & both;
let after =(both & ~(both + inside))| inside;
return(after & ~(after << 1u))|(pairs & ~both);
}
`,mirrored:`override EDGE: bool = true;
fn mirrored(i: i32,n: i32)-> i32{
if(i >= 0 && i < n){return i;}
if(!EDGE && n == 1){return 0;}
let last = select(2 * n - 2,2 * n - 1,EDGE);
let period = select(last,last + 1,EDGE);
var at = i % period;
if(at < 0){at += period;}
return select(last - at,at,at < n);
}
`,nibble:`fn nibble(word: u32,lo: vec4u,span: vec4u)-> u32{
let inside =(unpack4xU8(word)- lo)<= span;
return dot(select(vec4u(),vec4u(1u,2u,4u,8u),inside),vec4u(1u));
}
`,"node-order":`override ORDERED: bool = true;
fn comesAfter(a: u32,b: u32)-> bool{
return select(a > b,firsts[a] > firsts[b],ORDERED);
}
`,pixels:`fn byteAt(at: u32)-> u32{
return(pixels[at >> 2u] >>((at & 3u)* 8u))& 0xffu;
}
fn shortAt(at: u32)-> u32{
return(pixels[at >> 1u] >>((at & 1u)* 16u))& 0xffffu;
}
fn signed16(v: u32)-> i32{
return i32(v << 16u)>> 16u;
}
`,"plane-sums":`var<workgroup> keys: array<atomic<u32>,256>;
var<workgroup> areas: array<atomic<u32>,256>;
var<workgroup> sumsX: array<atomic<u32>,256>;
var<workgroup> sumsY: array<atomic<u32>,256>;
var<workgroup> x0: array<atomic<u32>,256>;
var<workgroup> x1: array<atomic<u32>,256>;
var<workgroup> y0: array<atomic<u32>,256>;
var<workgroup> y1: array<atomic<u32>,256>;
struct PlaneSums{
n: u32,
x: u32,
y: u32,
x0: u32,
x1: u32,
y0: u32,
y1: u32,
}
fn noPlaneSums()-> PlaneSums{
return PlaneSums(0u,0u,0u,NOWHERE,0u,NOWHERE,0u);
}
fn plusCell(s: PlaneSums,top: u32,bottom: u32,x: u32,y: u32)-> PlaneSums{
let upper = countOneBits(top);
let lower = countOneBits(bottom);
var sums = s;
sums.n += upper + lower;
sums.x +=(upper + lower)* x + positions(top)+ positions(bottom);
sums.y +=(upper + lower)* y + lower;
sums.x0 = min(s.x0,x + countTrailingZeros(top | bottom));
sums.x1 = max(s.x1,x + 32u - countLeadingZeros(top | bottom));
sums.y0 = min(s.y0,select(y + 1u,y,upper > 0u));
sums.y1 = max(s.y1,select(y + 1u,y + 2u,lower > 0u));
return sums;
}
fn addPlaneSums(slot: u32,s: PlaneSums){
atomicAdd(&areas[slot],s.n);
atomicAdd(&sumsX[slot],s.x);
atomicAdd(&sumsY[slot],s.y);
if(atomicLoad(&x0[slot])> s.x0){atomicMin(&x0[slot],s.x0);}
if(atomicLoad(&x1[slot])< s.x1){atomicMax(&x1[slot],s.x1);}
if(atomicLoad(&y0[slot])> s.y0){atomicMin(&y0[slot],s.y0);}
if(atomicLoad(&y1[slot])< s.y1){atomicMax(&y1[slot],s.y1);}
}
fn planeSumsOf(slot: u32,n: u32)-> PlaneSums{
return PlaneSums(
n,atomicLoad(&sumsX[slot]),atomicLoad(&sumsY[slot]),atomicLoad(&x0[slot]),atomicLoad(&x1[slot]),
atomicLoad(&y0[slot]),atomicLoad(&y1[slot]),
);
}
`,points:`fn packed(x: u32,y: u32,z: u32)-> u32{
return x |(y << 10u)|(z << 20u);
}
fn coordinates(point: u32)-> vec3u{
return(vec3u(point)>> vec3u(0u,10u,20u))& vec3u(1023u);
}
`,positions:`fn positions(word: u32)-> u32{
return countOneBits(word & 0xaaaaaaaau)+ 2u * countOneBits(word & 0xccccccccu)
+ 4u * countOneBits(word & 0xf0f0f0f0u)+ 8u * countOneBits(word & 0xff00ff00u)
+ 16u * countOneBits(word & 0xffff0000u);
}
`,ranks:`fn rankOf(word: u32)-> u32{
var rank = blocks[(word >> 11u)* 3u] + ranks[word >> 3u];
for(var j = word & ~7u;j < word;j++){rank += countOneBits(marks[j]);}
return rank;
}
`,records:`fn add64(at: u32,value: vec2u){
let high = upperOf(atomicAdd(&records[at],value.x),value);
if(high != 0u){atomicAdd(&records[at + 1u],high);}
}
fn grow(at: u32,value: u32){
if(atomicLoad(&records[at])< value){atomicMax(&records[at],value);}
}
`,root:`fn rootOf(x: u32)-> u32{
var at = x;
var up = parents[at];
while(up != at){
at = up;
up = parents[at];
}
return at;
}
`,"run-starts":`fn runStarts(word: u32,at: u32,column: u32)-> u32{
var carry = 0u;
if(column > 0u){carry = bits[at - 1u] >> 31u;}
return word & ~((word << 1u)| carry);
}
`,scan:`var<workgroup> scanned: array<Scanned,THREADS>;
fn scan(t: u32){
for(var step = 1u;step < THREADS;step *= 2u){
workgroupBarrier();
var before = Scanned();
if(t >= step){before = scanned[t - step];}
workgroupBarrier();
scanned[t] += before;
}
}
`,sum64:`fn multiply(a: u32,b: u32)-> vec2u{
let low =(a & 0xffffu)*(b & 0xffffu);
let middle =(a >> 16u)*(b & 0xffffu)+(low >> 16u);
let other =(a & 0xffffu)*(b >> 16u)+(middle & 0xffffu);
return vec2u(a * b,(a >> 16u)*(b >> 16u)+(middle >> 16u)+(other >> 16u));
}
fn plus64(a: vec2u,b: vec2u)-> vec2u{
let low = a.x + b.x;
return vec2u(low,a.y + b.y + select(0u,1u,low < a.x));
}
fn widen(a: i32)-> vec2u{
return vec2u(bitcast<u32>(a),bitcast<u32>(a >> 31u));
}
fn upperOf(before: u32,value: vec2u)-> u32{
return value.y + select(0u,1u,before + value.x < before);
}
`,"tile-bindings":`@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> map: array<u32>;
@group(0)@binding(5)var<storage,read_write> records: array<atomic<u32>>;
`,union:`fn unite(x: u32,y: u32){
var a = find(x);
var b = find(y);
while(a != b){
if(comesAfter(a,b)){
let c = a;
a = b;
b = c;
}
let exchange = atomicCompareExchangeWeak(&parents[b],b,a);
if(exchange.exchanged){return;}
a = find(a);
b = find(exchange.old_value);
}
}
`,values:`override BYTES: u32 = 1u;
fn valueAt(at: u32)-> u32{
if(BYTES == 1u){return byteAt(at);}
if(BYTES == 2u){return shortAt(at);}
return pixels[at];
}
`,"watershed-counters":`const SADDLES = 0u;
const BASINS = 1u;
const LIVE = 4u;
const RUNS = 5u;
const COUNTERS = 8u;
`,weighted:`fn weighted(both: u32,weight: u32)-> u32{
let low =(both & 0xffffu)* weight + 0x8000u;
let high =(both >> 16u)* weight + 0x8000u;
return(low >> 16u)|(high & 0xffff0000u);
}
`},Xe={"components-flatten":{code:P.counters+`struct Parameters{
capacity: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> counters: array<u32>;
@group(0)@binding(2)var<storage,read> parents: array<u32>;
@group(0)@binding(3)var<storage,read> firsts: array<u32>;
@group(0)@binding(4)var<storage,read_write> roots: array<u32>;
@group(0)@binding(5)var<storage,read_write> marks: array<atomic<u32>>;
`+P.root+`@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
let nodes = counters[NODES];
if(nodes > parameters.capacity){return;}
for(var i = id.x;i < nodes;i += groups.x * 256u){
let root = rootOf(i);
roots[i] = root;
if(root == i){
let pixel = firsts[i];
atomicOr(&marks[pixel >> 5u],1u <<(pixel & 31u));
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`counters`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read`},{name:`firsts`,binding:3,access:`read`},{name:`roots`,binding:4,access:`read_write`},{name:`marks`,binding:5,access:`read_write`}],parameters:[`capacity`]},"components-join-slices":{code:`struct Parameters{
words: u32,
total: u32,
tileColumns: u32,
slice: u32,
connectivity: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> firsts: array<u32>;
@group(0)@binding(5)var<storage,read_write> parents: array<atomic<u32>>;
`+P.cells+P.find+P.meetings+P[`node-order`]+P.union+`fn nodeAt(column: u32,row: u32,cell: u32,upTo: u32)-> u32{
let rank = countOneBits(startsOf(cell)& upTo);
if(rank > 0u){return node(column,row,rank - 1u);}
return node(column - 1u,row,countOneBits(startsOf(cellAt(column - 1u,row)))- 1u);
}
fn pixelsOf(column: u32,row: u32,there: bool)-> vec2u{
if(!there){return vec2u();}
var before = 0u;
if(column > 0u){before = wordAt(column - 1u,row)>> 31u;}
return vec2u(wordAt(column,row),before);
}
fn leftOf(word: vec2u)-> u32{
return(word.x << 1u)| word.y;
}
fn straight(c: vec2u,v: vec2u)-> u32{
let startsC = c.x & ~leftOf(c);
let startsV = v.x & ~leftOf(v);
return overlaps(c.x,startsC,v.x,startsV);
}
fn fromLeft(c: vec2u,v: vec2u)-> u32{
return v.x & ~leftOf(v)& ~c.x & leftOf(c);
}
fn follow(pairs: u32,column: u32,row: u32,other: u32){
if(pairs == 0u){return;}
let c = cellAt(column,row);
let v = cellAt(column,other);
var lastA = 0xffffffffu;
var lastB = 0xffffffffu;
for(var rest = pairs;rest != 0u;rest &= rest - 1u){
let upTo = rest ^(rest - 1u);
let a = nodeAt(column,row,c,upTo);
let b = nodeAt(column,other,v,upTo);
if((a != lastA || b != lastB)&& atomicLoad(&parents[a])!= atomicLoad(&parents[b])){unite(a,b);}
lastA = a;
lastB = b;
}
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let column = index % parameters.words;
let line = index / parameters.words;
if(CELL == 2u && parameters.connectivity == 26u){
joinCell(column,line * 2u + parameters.slice);
}else{
joinRow(column,line + parameters.slice);
}
}
fn joinCell(column: u32,row: u32){
let top = pixelsOf(column,row,true);
let bottom = pixelsOf(column,row + 1u,true);
let c = top | bottom;
if((c.x | c.y)== 0u){return;}
let y = row % parameters.slice;
let behind = row - parameters.slice;
let behindTop = pixelsOf(column,behind,true);
let behindBottom = pixelsOf(column,behind + 1u,true);
let b = behindTop | behindBottom;
let u = pixelsOf(column,row - 1u,y > 0u);
var pairs = straight(c,b)| fromLeft(c,b)| fromLeft(b,c);
pairs &= ~(top.x & u.x & behindTop.x);
follow(firstOfStretches(pairs,c.x & b.x),column,row,behind);
if(y > 0u){
let d = pixelsOf(column,behind - 1u,true);
let met = u.x | leftOf(u)| behindTop.x | leftOf(behindTop);
follow((straight(top,d)| fromLeft(top,d)| fromLeft(d,top))& ~met,column,row,behind - 1u);
}
if(y + 2u < parameters.slice){
let e = pixelsOf(column,behind + 2u,true);
let met = behindBottom.x | leftOf(behindBottom);
follow((straight(bottom,e)| fromLeft(bottom,e)| fromLeft(e,bottom))& ~met,column,row + 1u,behind + 2u);
}
}
fn joinRow(column: u32,row: u32){
let c = pixelsOf(column,row,true);
if((c.x | c.y)== 0u){return;}
let y = row % parameters.slice;
let behind = row - parameters.slice;
let hasAbove = y > 0u;
let hasBelow = y + 1u < parameters.slice;
let b = pixelsOf(column,behind,true);
let u = pixelsOf(column,row - 1u,hasAbove);
let d = pixelsOf(column,behind - 1u,hasAbove);
var pairs = straight(c,b);
if(parameters.connectivity == 6u){
pairs &= ~(u.x & d.x);
}else if(parameters.connectivity == 18u){
pairs =(pairs & ~u.x)|(fromLeft(c,b)& ~u.x)|(fromLeft(b,c)& ~leftOf(u));
}else{
pairs =(pairs | fromLeft(c,b)| fromLeft(b,c))& ~(u.x | leftOf(u));
}
follow(pairs,column,row,behind);
if(parameters.connectivity == 6u){return;}
let e = pixelsOf(column,behind + 1u,hasBelow);
var above = straight(c,d);
var below = straight(c,e);
if(parameters.connectivity == 18u){
above &= ~(u.x | b.x);
below &= ~b.x;
}else{
above =(above | fromLeft(c,d)| fromLeft(d,c))& ~(u.x | leftOf(u)| b.x | leftOf(b));
below =(below | fromLeft(c,e)| fromLeft(e,c))& ~(b.x | leftOf(b));
}
follow(above,column,row,behind - 1u);
follow(below,column,row,behind + 1u);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`firsts`,binding:4,access:`read`},{name:`parents`,binding:5,access:`read_write`}],parameters:[`words`,`total`,`tileColumns`,`slice`,`connectivity`]},"components-join-tiles":{code:`struct Parameters{
words: u32,
height: u32,
tileColumns: u32,
horizontal: u32,
total: u32,
slice: u32,
wide: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> firsts: array<u32>;
@group(0)@binding(5)var<storage,read_write> parents: array<atomic<u32>>;
`+P.cells+P.find+P.meetings+P[`node-order`]+P.union+`fn cellFrom(column: u32,row: u32)-> u32{
if(CELL == 1u){return wordAt(column,row);}
return wordAt(column,row)| wordAt(column,row + 1u);
}
fn lastNode(column: u32,row: u32)-> u32{
return node(column,row,countOneBits(startsOf(cellFrom(column,row)))- 1u);
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
if(thread >= parameters.total){return;}
if(thread < parameters.horizontal){
uniteAbove(thread % parameters.words,(thread / parameters.words + 1u)* ROWS * CELL);
}else{
let rest = thread - parameters.horizontal;
let lines =(parameters.height + CELL - 1u)/ CELL;
uniteLeft((rest / lines + 1u)* COLUMNS,(rest % lines)* CELL);
}
}
fn beginsSlice(row: u32)-> bool{
return parameters.slice != 0u && row % parameters.slice == 0u;
}
fn joinsDiagonals()-> bool{
return CELL == 2u || parameters.wide == 1u;
}
fn uniteAbove(column: u32,row: u32){
if(beginsSlice(row)){return;}
let top = wordAt(column,row);
let over = wordAt(column,row - 1u);
var carry = 0u;
var carryOver = 0u;
if(column > 0u){
carry = wordAt(column - 1u,row)>> 31u;
carryOver = wordAt(column - 1u,row - 1u)>> 31u;
}
let topLeft =(top << 1u)| carry;
let overLeft =(over << 1u)| carryOver;
let starts = top & ~topLeft;
let startsOver = over & ~overLeft;
var pairs = overlaps(top,starts,over,startsOver);
var c = top;
var u = over;
if(joinsDiagonals()){
pairs |=(startsOver & ~top & topLeft)|(starts & ~over & overLeft);
c = cellFrom(column,row);
u = cellFrom(column,row - CELL);
pairs = firstOfStretches(pairs,c & u);
}
var lastA = 0xffffffffu;
var lastB = 0xffffffffu;
while(pairs != 0u){
let upTo = pairs ^(pairs - 1u);
let ranksC = countOneBits(startsOf(c)& upTo);
let ranksU = countOneBits(startsOf(u)& upTo);
var a: u32;
var b: u32;
if(ranksC == 0u){a = lastNode(column - 1u,row);}else{a = node(column,row,ranksC - 1u);}
if(ranksU == 0u){
b = lastNode(column - 1u,row - CELL);
}else{
b = node(column,row - CELL,ranksU - 1u);
}
if(a != lastA || b != lastB){unite(a,b);}
lastA = a;
lastB = b;
pairs &= pairs - 1u;
}
}
fn uniteLeft(column: u32,row: u32){
let c = cellFrom(column,row)& 1u;
let left = cellFrom(column - 1u,row)>> 31u;
let top = wordAt(column,row)& 1u;
let leftTop = wordAt(column - 1u,row)>> 31u;
var over = 0u;
var overLeft = 0u;
let above = row %(ROWS * CELL)!= 0u && !beginsSlice(row);
if(above){
over = wordAt(column,row - 1u)& 1u;
overLeft = wordAt(column - 1u,row - 1u)>> 31u;
}
if((c & left)== 1u &&(top & over & leftTop & overLeft)== 0u){
unite(node(column,row,0u),lastNode(column - 1u,row));
}
if(joinsDiagonals()&& above){
if((over & leftTop)== 1u && top == 0u && overLeft == 0u){
unite(node(column,row - CELL,0u),lastNode(column - 1u,row));
}
if((top & overLeft)== 1u && over == 0u && leftTop == 0u){
unite(node(column,row,0u),lastNode(column - 1u,row - CELL));
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`firsts`,binding:4,access:`read`},{name:`parents`,binding:5,access:`read_write`}],parameters:[`words`,`height`,`tileColumns`,`horizontal`,`total`,`slice`,`wide`]},"components-label-tiles":{code:P.counters+`struct Parameters{
words: u32,
height: u32,
tileColumns: u32,
tiles: u32,
capacity: u32,
slice: u32,
wide: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read_write> segments: array<u32>;
@group(0)@binding(3)var<storage,read_write> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read_write> parents: array<u32>;
@group(0)@binding(5)var<storage,read_write> firsts: array<atomic<u32>>;
@group(0)@binding(6)var<storage,read_write> marks: array<u32>;
@group(0)@binding(7)var<storage,read_write> counters: array<atomic<u32>>;
`+P.cells+P.meetings+`const ROOT = 0x80000000u;
var<workgroup> cells: array<u32,128>;
var<workgroup> tops: array<u32,128>;
var<workgroup> bottoms: array<u32,128>;
var<workgroup> links: array<atomic<u32>,2048>;
var<workgroup> found: atomic<u32>;
var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
var<workgroup> base: u32;
var<workgroup> busy: u32;
var<workgroup> crowded: u32;
fn lastSlot(t: u32)-> u32{
return t * 16u + countOneBits(startsOf(cells[t]))- 1u;
}
fn find(slot: u32)-> u32{
var at = slot;
var up = atomicLoad(&links[at]);
while(up != at){
at = up;
up = atomicLoad(&links[at]);
}
return at;
}
fn unite(x: u32,y: u32){
var a = find(x);
var b = find(y);
while(a != b){
let high = max(a,b);
let low = min(a,b);
let before = atomicMin(&links[high],low);
if(before == high){return;}
a = find(before);
b = find(low);
}
}
fn firstPixel(index: u32,top: u32,bottom: u32,ones: u32)-> u32{
if((top & ones)!= 0u){return index * 32u + countTrailingZeros(top & ones);}
return(index + parameters.words)* 32u + countTrailingZeros(bottom & ones);
}
fn component(slot: u32)-> u32{
var link = atomicLoad(&links[slot]);
if((link & ROOT)== 0u){link = atomicLoad(&links[link]);}
return link & 0xffffu;
}
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let tile = group.y * groups.x + group.x;
if(tile >= parameters.tiles){return;}
let column =(tile % parameters.tileColumns)* COLUMNS +(t & 3u);
let row =((tile / parameters.tileColumns)* ROWS +(t >> 2u))* CELL;
let index = row * parameters.words + column;
let bitIndex = index + parameters.words;
var top = 0u;
var bottom = 0u;
var carries = 0u;
if(column < parameters.words && row < parameters.height){
top = bits[bitIndex];
marks[index] = 0u;
if(column > 0u){carries = bits[bitIndex - 1u] >> 31u;}
bottom = top;
if(CELL == 2u){
bottom = 0u;
if(row + 1u < parameters.height){
bottom = bits[bitIndex + parameters.words];
marks[index + parameters.words] = 0u;
if(column > 0u){carries |=(bits[bitIndex + parameters.words - 1u] >> 31u)<< 1u;}
}
}
}
let c = top | bottom;
cells[t] = c;
tops[t] = top;
bottoms[t] = bottom;
if(c != 0u){busy = 1u;}
if(workgroupUniformLoad(&busy)== 0u){
if(t == 0u){tileTable[tile] = vec4u();}
return;
}
let cs = startsOf(c);
let count = countOneBits(cs);
let slot = t * 16u;
var begin = t & 3u;
if(parameters.slice != 0u){
let lines =(row % parameters.slice)/ CELL;
if(lines <(t >> 2u)){begin = t - lines * COLUMNS;}
}
let above = t != begin;
let wide = CELL == 2u || parameters.wide == 1u;
let beside =(t & 3u)!= 0u;
var u = 0u;
var over = 0u;
var left = 0u;
var leftTop = 0u;
var overLeft = 0u;
if(above){
u = cells[t - COLUMNS];
over = bottoms[t - COLUMNS];
}
if(beside){
left = cells[t - 1u] >> 31u;
leftTop = tops[t - 1u] >> 31u;
}
if(above && beside){overLeft = bottoms[t - COLUMNS - 1u] >> 31u;}
var beginsLeft =(c & left)== 1u &&(top & over & leftTop & overLeft & 1u)== 0u;
var extra = 0u;
let us = startsOf(u);
if(above && top == over && c == u && c == top){
var first = t - COLUMNS;
while(first >= begin + COLUMNS && tops[first] == c && bottoms[first - COLUMNS] == c && cells[first - COLUMNS] == c){
first -= COLUMNS;
}
for(var k = 0u;k < count;k++){atomicStore(&links[slot + k],first * 16u + k);}
}else{
let starts = startsOf(top);
let startsOver = startsOf(over);
var pairs = overlaps(top,starts,over,startsOver);
if(wide){
pairs |=(startsOver & ~top &(top << 1u))|(starts & ~over &(over << 1u));
pairs = firstOfStretches(pairs,c & u);
}
var linked = 0u;
while(pairs != 0u){
let upTo = pairs ^(pairs - 1u);
let a = countOneBits(cs & upTo)- 1u;
if(((linked >> a)& 1u)== 1u){
extra |= pairs &(0u - pairs);
}else{
atomicStore(&links[slot + a],slot - COLUMNS * 16u + countOneBits(us & upTo)- 1u);
linked |= 1u << a;
}
pairs &= pairs - 1u;
}
if(beginsLeft &&(linked & 1u)== 0u){
atomicStore(&links[slot],lastSlot(t - 1u));
beginsLeft = false;
linked |= 1u;
}
for(var rest =((1u << count)- 1u)& ~linked;rest != 0u;rest &= rest - 1u){
let own = slot + countTrailingZeros(rest);
atomicStore(&links[own],own);
}
}
workgroupBarrier();
for(var round = 0u;round < 2u;round++){
for(var k = 0u;k < count;k++){
let up = atomicLoad(&links[slot + k]);
atomicStore(&links[slot + k],atomicLoad(&links[up]));
}
workgroupBarrier();
}
while(extra != 0u){
let upTo = extra ^(extra - 1u);
unite(slot + countOneBits(cs & upTo)- 1u,slot - COLUMNS * 16u + countOneBits(us & upTo)- 1u);
extra &= extra - 1u;
}
if(beginsLeft){unite(slot,lastSlot(t - 1u));}
if(wide && above && beside){
if((over & leftTop & 1u)== 1u &&(top & 1u)== 0u && overLeft == 0u){
unite(lastSlot(t - 1u),slot - COLUMNS * 16u);
}
if((top & overLeft & 1u)== 1u &&(over & 1u)== 0u && leftTop == 0u){
unite(slot,lastSlot(t - COLUMNS - 1u));
}
}
workgroupBarrier();
var roots = 0u;
var sameRow = 0u;
for(var k = 0u;k < count;k++){
let root = find(slot + k);
if(root == slot + k){
roots |= 1u << k;
}else{
atomicStore(&links[slot + k],root);
if((root >> 6u)==(t >> 2u)){sameRow |= 1u << k;}
}
}
var first = 0u;
if(roots != 0u){first = atomicAdd(&found,countOneBits(roots));}
if(c != 0u){
var ones = countOneBits(top);
var starts = countOneBits(top & ~((top << 1u)|(carries & 1u)));
if(CELL == 2u){
ones += countOneBits(bottom);
starts += countOneBits(bottom & ~((bottom << 1u)|(carries >> 1u)));
}
atomicAdd(&pixels,ones);
atomicAdd(&runs,starts);
}
workgroupBarrier();
var number = first;
for(var rest = roots;rest != 0u;rest &= rest - 1u){
atomicStore(&links[slot + countTrailingZeros(rest)],ROOT | number);
number++;
}
if(t == 0u){
let total = atomicLoad(&found);
var begin = 0u;
if(total != 0u){
begin = atomicAdd(&counters[NODES],total);
if(begin + total > parameters.capacity){
begin = 0u;
crowded = 1u;
}
}
base = begin;
tileTable[tile] = vec4u(begin,total,atomicLoad(&pixels),atomicLoad(&runs));
}
workgroupBarrier();
number = first;
var rest = c;
for(var k = 0u;k < count && roots >> k != 0u;k++){
let begin = countTrailingZeros(rest);
let ones = rest & ~(rest +(1u << begin));
rest &= ~ones;
if(((roots >> k)& 1u)== 1u && crowded == 0u){
parents[base + number] = base + number;
atomicStore(&firsts[base + number],firstPixel(index,top,bottom,ones));
number++;
}
}
for(var k = 0u;k < count;k += 2u){
let pair = component(slot + k)|(component(slot + min(k + 1u,count - 1u))<< 16u);
segments[segmentsAt(column,row)+(k >> 1u)] = pair;
}
if(CELL == 2u){
storageBarrier();
rest = c;
for(var k = 0u;k < count && sameRow >> k != 0u;k++){
let begin = countTrailingZeros(rest);
let ones = rest & ~(rest +(1u << begin));
rest &= ~ones;
if(((sameRow >> k)& 1u)== 1u && crowded == 0u){
atomicMin(&firsts[base + component(slot + k)],firstPixel(index,top,bottom,ones));
}
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read_write`},{name:`tileTable`,binding:3,access:`read_write`},{name:`parents`,binding:4,access:`read_write`},{name:`firsts`,binding:5,access:`read_write`},{name:`marks`,binding:6,access:`read_write`},{name:`counters`,binding:7,access:`read_write`}],parameters:[`words`,`height`,`tileColumns`,`tiles`,`capacity`,`slice`,`wide`]},"components-number":{code:P.counters+`struct Parameters{
capacity: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> counters: array<u32>;
@group(0)@binding(2)var<storage,read> marks: array<u32>;
@group(0)@binding(3)var<storage,read> ranks: array<u32>;
@group(0)@binding(4)var<storage,read> blocks: array<u32>;
@group(0)@binding(5)var<storage,read> firsts: array<u32>;
@group(0)@binding(6)var<storage,read_write> map: array<u32>;
`+P.ranks+`@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
let nodes = counters[NODES];
if(nodes > parameters.capacity){return;}
for(var i = id.x;i < nodes;i += groups.x * 256u){
let pixel = firsts[map[i]];
let word = pixel >> 5u;
map[i] = rankOf(word)+ countOneBits(marks[word] &((2u <<(pixel & 31u))- 1u));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`counters`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read`},{name:`ranks`,binding:3,access:`read`},{name:`blocks`,binding:4,access:`read`},{name:`firsts`,binding:5,access:`read`},{name:`map`,binding:6,access:`read_write`}],parameters:[`capacity`]},"components-polarity":{code:`struct Parameters{
first: u32,
nodes: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> map: array<u32>;
@group(0)@binding(2)var<storage,read_write> second: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
for(var i = parameters.first + id.x;i < parameters.nodes;i += groups.x * 256u){
let label = map[i];
atomicOr(&second[label >> 5u],1u <<(label & 31u));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`map`,binding:1,access:`read`},{name:`second`,binding:2,access:`read_write`}],parameters:[`first`,`nodes`]},"components-rank-total":{code:P.counters+`struct Parameters{
blocks: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read_write> blocks: array<u32>;
@group(0)@binding(2)var<storage,read_write> counters: array<u32>;
`+P.scan+`const THREADS = 256u;
alias Scanned = vec3u;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index)t: u32){
let share =(parameters.blocks + 255u)/ 256u;
let first = t * share;
let end = min(first + share,parameters.blocks);
var sum = vec3u();
for(var i = first;i < end;i++){
sum += vec3u(blocks[i * 3u],blocks[i * 3u + 1u],blocks[i * 3u + 2u]);
}
scanned[t] = sum;
scan(t);
var before = scanned[t].x - sum.x;
for(var i = first;i < end;i++){
let marked = blocks[i * 3u];
blocks[i * 3u] = before;
before += marked;
}
if(t == 255u){
counters[COMPONENTS] = scanned[t].x;
counters[PIXELS] = scanned[t].y;
counters[RUNS] = scanned[t].z;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`blocks`,binding:1,access:`read_write`},{name:`counters`,binding:2,access:`read_write`}],parameters:[`blocks`]},"components-rank":{code:`struct Parameters{
words: u32,
tiles: u32,
tilesPerBlock: u32,
planes: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> marks: array<u32>;
@group(0)@binding(2)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(3)var<storage,read> tileTable2: array<vec4u>;
@group(0)@binding(4)var<storage,read_write> ranks: array<u32>;
@group(0)@binding(5)var<storage,read_write> blocks: array<u32>;
`+P.scan+`const THREADS = 256u;
alias Scanned = u32;
var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let first = block * 2048u + t * 8u;
var sum = 0u;
for(var i = first;i < min(first + 8u,parameters.words);i++){sum += countOneBits(marks[i]);}
for(var i = t;i < parameters.tilesPerBlock;i += 256u){
let tile = block * parameters.tilesPerBlock + i;
if(tile < parameters.tiles){
if(parameters.planes > 0u){addTile(tileTable[tile]);}
if(parameters.planes > 1u){addTile(tileTable2[tile]);}
}
}
scanned[t] = sum;
scan(t);
if(first < parameters.words){ranks[first / 8u] = scanned[t] - sum;}
if(t == 255u){
blocks[block * 3u] = scanned[t];
blocks[block * 3u + 1u] = atomicLoad(&pixels);
blocks[block * 3u + 2u] = atomicLoad(&runs);
}
}
fn addTile(entry: vec4u){
atomicAdd(&pixels,entry.z);
atomicAdd(&runs,entry.w);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`marks`,binding:1,access:`read`},{name:`tileTable`,binding:2,access:`read`},{name:`tileTable2`,binding:3,access:`read`},{name:`ranks`,binding:4,access:`read_write`},{name:`blocks`,binding:5,access:`read_write`}],parameters:[`words`,`tiles`,`tilesPerBlock`,`planes`]},"components-slices":{code:`struct Parameters{
words: u32,
slice: u32,
depth: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> marks: array<u32>;
@group(0)@binding(3)var<storage,read> ranks: array<u32>;
@group(0)@binding(4)var<storage,read> blocks: array<u32>;
@group(0)@binding(5)var<storage,read_write> slices: array<u32>;
override SECOND: bool = false;
`+P[`run-starts`]+P.ranks+`var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let z = group.y * groups.x + group.x;
if(z >= parameters.depth){return;}
let first = z * parameters.slice;
var area = 0u;
var starts = 0u;
for(var i = t;i < parameters.slice;i += 256u){
let at = first + i + parameters.words;
let word = bits[at];
area += countOneBits(word);
starts += countOneBits(runStarts(word,at,i % parameters.words));
}
atomicAdd(&pixels,area);
atomicAdd(&runs,starts);
workgroupBarrier();
if(t != 0u){return;}
let to = z * 3u;
if(SECOND){
slices[to + 1u] += atomicLoad(&pixels);
slices[to + 2u] += atomicLoad(&runs);
}else{
slices[to] = rankOf(first);
slices[to + 1u] = atomicLoad(&pixels);
slices[to + 2u] = atomicLoad(&runs);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read`},{name:`ranks`,binding:3,access:`read`},{name:`blocks`,binding:4,access:`read`},{name:`slices`,binding:5,access:`read_write`}],parameters:[`words`,`slice`,`depth`]},"distance-columns":{code:`struct Parameters{
columns: u32,
planes: u32,
plane: u32,
stride: u32,
sites: u32,
weight: u32,
limit: u32,
reach: u32,
width: u32,
pitch: u32,
height: u32,
stepX: u32,
unit: u32,
far: u32,
stops: u32,
}
override OUTPUT: u32 = 0u;
override NEAREST: bool = false;
override MINUS: bool = false;
override WHOLE: bool = false;
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> costs: array<u32>;
@group(0)@binding(2)var<storage,read_write> result: array<u32>;
@group(0)@binding(3)var<storage,read> features: array<u32>;
@group(0)@binding(4)var<storage,read_write> nearest: array<u32>;
@group(0)@binding(5)var<storage,read> found: array<u32>;
`+P[`distance-cost`]+`override STRETCH: u32 = 128u;
var<private> base: u32;
var<private> side: u32;
var<private> pixel: u32;
var<private> place0: u32;
fn join(cost: u32,step: u32)-> u32{
if(METRIC == 2u){return max(cost,step);}
if(FLOAT){return bitcast<u32>(bitcast<f32>(cost)+ bitcast<f32>(step));}
return cost + step;
}
fn join4(cost: u32,step: vec4u)-> vec4u{
if(METRIC == 2u){return max(vec4u(cost),step);}
if(FLOAT){return bitcast<vec4u>(bitcast<f32>(cost)+ bitcast<vec4f>(step));}
return cost + step;
}
fn siteAt(pair: u32)-> u32{
if(INPUT == 1u){return costs[first4(pair)+ side * 32u];}
return unpacked((costs[pair] >>(16u * side))& 0xffffu);
}
fn featureAt(position: u32)-> u32{
let pair = base + position * parameters.stride;
if(INPUT != 0u){return features[first4(pair)+ 32u * side] + position * parameters.height * parameters.width;}
let steps =(costs[pair] >>(16u * side))& 0xffffu;
let away = steps & 0x7fffu;
return position * parameters.width + select(pixel - away,pixel + away,(steps & 0x8000u)!= 0u);
}
struct Search{
best: u32,
place: u32,
}
fn keepPixel(to: u32,value: u32){
if(MINUS){
result[to] = bitcast<u32>(bitcast<f32>(result[to])- bitcast<f32>(value));
}else{
result[to] = value;
}
}
fn keep(position: u32,cost: u32,place: u32){
if(position >= parameters.sites){return;}
let pair = base + position * parameters.stride;
let at = first4(pair)+ side * 32u;
let to = position * parameters.height * parameters.width + place0;
let cheapest = min(cost,infinity());
let beyond = cheapest > parameters.limit;
if(OUTPUT == 0u){
if(NEAREST){nearest[at] = select(featureAt(place),0xffffffffu,beyond);}
result[at] = select(cheapest,infinity(),beyond);
return;
}
if(pixel >= parameters.width){return;}
if(NEAREST){nearest[to] = select(featureAt(place),0xffffffffu,beyond);}
if(OUTPUT == 3u){
result[to] = select(select(cheapest,u32(bitcast<f32>(cheapest)),FLOAT),0xffffffffu,beyond);
return;
}
let length = select(f32(cheapest),bitcast<f32>(cheapest),FLOAT);
let scaled = select(length,sqrt(length),METRIC == 0u)* bitcast<f32>(parameters.unit);
keepPixel(to,select(bitcast<u32>(scaled),parameters.far,beyond));
}
struct Eight{
near: vec4u,
behind: vec4u,
nearPlace: vec4u,
behindPlace: vec4u,
}
fn eightOf(so: Eight,site: u32,i: u32,start: u32)-> Eight{
let one = join4(site,costOf4(i32(start)+ 1 - i32(i)));
let two = join4(site,costOf4(i32(start)+ 5 - i32(i)));
var made = so;
if(NEAREST){
made.nearPlace = select(so.nearPlace,vec4u(i),one < so.near);
made.behindPlace = select(so.behindPlace,vec4u(i),two < so.behind);
}
made.near = min(so.near,one);
made.behind = min(so.behind,two);
return made;
}
struct EightWhole{
near: vec4f,
behind: vec4f,
nearPlace: vec4u,
behindPlace: vec4u,
}
fn eightWholeOf(so: EightWhole,pair: u32,i: u32,start: u32)-> EightWhole{
let w = bitcast<f32>(parameters.weight);
let away = f32(i32(i)- i32(start))* w;
let cost = fma(away,away,bitcast<f32>(siteAt(pair)));
let one = fma(vec4f(away),vec4f(-2.0,-4.0,-6.0,-8.0)* w,vec4f(cost));
let two = fma(vec4f(away),vec4f(-10.0,-12.0,-14.0,-16.0)* w,vec4f(cost));
var made = so;
if(NEAREST){
made.nearPlace = select(so.nearPlace,vec4u(i),one < so.near);
made.behindPlace = select(so.behindPlace,vec4u(i),two < so.behind);
}
made.near = min(so.near,one);
made.behind = min(so.behind,two);
return made;
}
fn eightWhole(start: u32,a: u32,b: u32){
let none = vec4f(bitcast<f32>(infinity()));
var so = EightWhole(none,none,vec4u(0u),vec4u(0u));
let stride = parameters.stride;
for(var i = a;i <= b;i += 4u){
let i1 = min(i + 1u,b);
let i2 = min(i + 2u,b);
let i3 = min(i + 3u,b);
so = eightWholeOf(so,base + i * stride,i,start);
so = eightWholeOf(so,base + i1 * stride,i1,start);
so = eightWholeOf(so,base + i2 * stride,i2,start);
so = eightWholeOf(so,base + i3 * stride,i3,start);
}
let w = bitcast<f32>(parameters.weight);
let j = vec4f(1.0,2.0,3.0,4.0)* w;
let k = vec4f(5.0,6.0,7.0,8.0)* w;
let near = bitcast<vec4u>(fma(j,j,so.near));
let behind = bitcast<vec4u>(fma(k,k,so.behind));
keep(start + 1u,near.x,so.nearPlace.x);
keep(start + 2u,near.y,so.nearPlace.y);
keep(start + 3u,near.z,so.nearPlace.z);
keep(start + 4u,near.w,so.nearPlace.w);
keep(start + 5u,behind.x,so.behindPlace.x);
keep(start + 6u,behind.y,so.behindPlace.y);
keep(start + 7u,behind.z,so.behindPlace.z);
keep(start + 8u,behind.w,so.behindPlace.w);
}
fn eight(start: u32,a: u32,b: u32){
if(WHOLE){
eightWhole(start,a,b);
return;
}
let none = vec4u(0xffffffffu);
let zero = vec4u(0u);
var so = Eight(none,none,zero,zero);
let stride = parameters.stride;
for(var i = a;i <= b;i += 4u){
let i1 = min(i + 1u,b);
let i2 = min(i + 2u,b);
let i3 = min(i + 3u,b);
let site0 = siteAt(base + i * stride);
let site1 = siteAt(base + i1 * stride);
let site2 = siteAt(base + i2 * stride);
let site3 = siteAt(base + i3 * stride);
so = eightOf(so,site0,i,start);
so = eightOf(so,site1,i1,start);
so = eightOf(so,site2,i2,start);
so = eightOf(so,site3,i3,start);
}
keep(start + 1u,so.near.x,so.nearPlace.x);
keep(start + 2u,so.near.y,so.nearPlace.y);
keep(start + 3u,so.near.z,so.nearPlace.z);
keep(start + 4u,so.near.w,so.nearPlace.w);
keep(start + 5u,so.behind.x,so.behindPlace.x);
keep(start + 6u,so.behind.y,so.behindPlace.y);
keep(start + 7u,so.behind.z,so.behindPlace.z);
keep(start + 8u,so.behind.w,so.behindPlace.w);
}
fn foundAt(plane: u32,stop: u32,column: u32)-> u32{
return(found[(plane * parameters.stops + stop)* parameters.columns + column] >>(16u * side))& 0xffffu;
}
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let last = parameters.sites - 1u;
let stretches = max(parameters.stops,2u)- 1u;
let index =(group.y * groups.x + group.x)* 64u + local / 64u * 32u + local % 32u;
side = local / 32u % 2u;
let column = index % parameters.columns;
let stretch = index / parameters.columns % stretches;
let plane = index / parameters.columns / stretches;
if(plane >= parameters.planes){return;}
let first = stretch * STRETCH;
base = plane * parameters.plane + column;
pixel = first4(column % parameters.pitch)+ side * 32u;
place0 = column / parameters.pitch * parameters.width + pixel;
let reach = parameters.reach;
let start = foundAt(plane,stretch,column);
let none = start == 0xffffu;
if(first == 0u){
let place = select(start,0u,none);
let cost = join(siteAt(base + place * parameters.stride),costOf(i32(place),parameters.weight));
keep(0u,select(cost,infinity(),none),place);
}
if(first >= last){return;}
let other = min(first + STRETCH,last);
let stop = foundAt(plane,stretch + 1u,column);
let low = select(start,first + reach + 1u,none);
let high = min(select(stop,max(other,reach + 1u)- reach - 1u,stop == 0xffffu),last);
if(STRETCH == 32u){
quarter(first,low,high);
return;
}
let quarters = threeBetween(first,32u,low,high);
for(var q = 0u;q < 4u && first + 32u * q < last;q++){
let range = rangeOf(quarters,q,low,high);
quarter(first + 32u * q,range.x,range.y);
}
}
fn quarter(start: u32,low: u32,high: u32){
let eighths = threeBetween(start,8u,low,high);
for(var k = 0u;k < 4u && start + 8u * k + 1u < parameters.sites;k++){
let range = rangeOf(eighths,k,low,high);
eight(start + 8u * k,range.x,range.y);
}
}
struct Three{
one: u32,
two: u32,
three: u32,
nothing: bool,
}
struct Three3{
one: Search,
two: Search,
three: Search,
}
fn cheaper(so: Search,cost: u32,i: u32)-> Search{
return Search(min(so.best,cost),select(so.place,i,cost < so.best));
}
fn three3Of(so: Three3,site: u32,i: u32,start: u32,step: u32)-> Three3{
let away = costOf3(i32(start)- i32(i),i32(step));
return Three3(
cheaper(so.one,join(site,away.x),i),
cheaper(so.two,join(site,away.y),i),
cheaper(so.three,join(site,away.z),i),
);
}
struct ThreeWhole{
best: vec3f,
place: vec3u,
}
fn threeWholeOf(so: ThreeWhole,pair: u32,i: u32,start: u32,turn: vec3f)-> ThreeWhole{
let away = f32(i32(i)- i32(start))* bitcast<f32>(parameters.weight);
let cost = fma(away,away,bitcast<f32>(siteAt(pair)));
let found = fma(vec3f(away),turn,vec3f(cost));
return ThreeWhole(min(so.best,found),select(so.place,vec3u(i),found < so.best));
}
fn threeWhole(start: u32,step: u32,low: u32,high: u32)-> Three{
var so = ThreeWhole(vec3f(bitcast<f32>(infinity())),vec3u(low));
let stride = parameters.stride;
let j = f32(step)* vec3f(1.0,2.0,3.0)* bitcast<f32>(parameters.weight);
let turn = -2.0 * j;
for(var i = low;i <= high;i += 4u){
let i1 = min(i + 1u,high);
let i2 = min(i + 2u,high);
let i3 = min(i + 3u,high);
so = threeWholeOf(so,base + i * stride,i,start,turn);
so = threeWholeOf(so,base + i1 * stride,i1,start,turn);
so = threeWholeOf(so,base + i2 * stride,i2,start,turn);
so = threeWholeOf(so,base + i3 * stride,i3,start,turn);
}
return Three(so.place.x,so.place.y,so.place.z,bitcast<u32>(fma(j.x,j.x,so.best.x))>= infinity());
}
fn threeBetween(start: u32,step: u32,low: u32,high: u32)-> Three{
if(WHOLE){return threeWhole(start,step,low,high);}
let most = Search(0xffffffffu,low);
var so = Three3(most,most,most);
let stride = parameters.stride;
for(var i = low;i <= high;i += 4u){
let i1 = min(i + 1u,high);
let i2 = min(i + 2u,high);
let i3 = min(i + 3u,high);
let site0 = siteAt(base + i * stride);
let site1 = siteAt(base + i1 * stride);
let site2 = siteAt(base + i2 * stride);
let site3 = siteAt(base + i3 * stride);
so = three3Of(so,site0,i,start,step);
so = three3Of(so,site1,i1,start,step);
so = three3Of(so,site2,i2,start,step);
so = three3Of(so,site3,i3,start,step);
}
let one = so.one;
let two = so.two;
let three = so.three;
return Three(one.place,two.place,three.place,one.best >= infinity());
}
fn rangeOf(stops: Three,k: u32,low: u32,high: u32)-> vec2u{
if(stops.nothing){return vec2u(1u,0u);}
let a = select(stops.three,select(stops.two,stops.one,k == 1u),k < 3u);
let b = select(stops.three,select(stops.two,stops.one,k == 0u),k < 2u);
return vec2u(select(a,low,k == 0u),select(min(high,b),high,k == 3u));
}
fn costOf3(first: i32,step: i32)-> vec3u{
if(FLOAT){
let s = abs(f32(first)+ f32(step)* vec3f(1.0,2.0,3.0))* bitcast<f32>(parameters.weight);
return bitcast<vec3u>(select(s,s * s,METRIC == 0u));
}
let s = vec3u(abs(first + step * vec3i(1,2,3)))* parameters.weight;
return select(s,s * s,METRIC == 0u);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`costs`,binding:1,access:`read`},{name:`result`,binding:2,access:`read_write`},{name:`features`,binding:3,access:`read`},{name:`nearest`,binding:4,access:`read_write`},{name:`found`,binding:5,access:`read`}],parameters:[`columns`,`planes`,`plane`,`stride`,`sites`,`weight`,`limit`,`reach`,`width`,`pitch`,`height`,`stepX`,`unit`,`far`,`stops`]},"distance-lows":{code:`struct Parameters{
columns: u32,
planes: u32,
plane: u32,
stride: u32,
sites: u32,
blocks: u32,
weight: u32,
stepX: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> costs: array<u32>;
@group(0)@binding(2)var<storage,read_write> lows: array<u32>;
`+P[`distance-cost`]+`fn lowAt(pair: u32)-> u32{
if(INPUT == 1u){
let at = first4(pair);
return min(costs[at],costs[at + 32u]);
}
let two = costs[pair];
let first = select(two & 0x7fffu,0xffffu,(two & 0xffffu)== 0xffffu);
let second = select((two >> 16u)& 0x7fffu,0xffffu,(two >> 16u)== 0xffffu);
return min(first,second);
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
let column = index % parameters.columns;
let block = index / parameters.columns % parameters.blocks;
let plane = index / parameters.columns / parameters.blocks;
if(plane >= parameters.planes){return;}
let base = plane * parameters.plane + column;
let begin = block * 32u;
let last = parameters.sites - 1u;
var low = 0xffffffffu;
for(var i = 0u;i < 32u;i += 8u){
let at = base + min(begin + i,last)* parameters.stride;
let a = lowAt(at);
let b = lowAt(base + min(begin + i + 1u,last)* parameters.stride);
let c = lowAt(base + min(begin + i + 2u,last)* parameters.stride);
let d = lowAt(base + min(begin + i + 3u,last)* parameters.stride);
let e = lowAt(base + min(begin + i + 4u,last)* parameters.stride);
let f = lowAt(base + min(begin + i + 5u,last)* parameters.stride);
let g = lowAt(base + min(begin + i + 6u,last)* parameters.stride);
let h = lowAt(base + min(begin + i + 7u,last)* parameters.stride);
low = min(low,min(min(min(a,b),min(c,d)),min(min(e,f),min(g,h))));
}
if(INPUT == 0u){low = unpacked(low);}
lows[index] = low;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`costs`,binding:1,access:`read`},{name:`lows`,binding:2,access:`read_write`}],parameters:[`columns`,`planes`,`plane`,`stride`,`sites`,`blocks`,`weight`,`stepX`]},"distance-reach":{code:`struct Parameters{
width: u32,
words: u32,
stretches: u32,
rows: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> distances: array<u32>;
@group(0)@binding(2)var<storage,read_write> bits: array<u32>;
override INVERT: bool = false;
var<workgroup> found: array<atomic<u32>,8>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let stretch = group.y * groups.x + group.x;
let row = stretch / parameters.stretches;
let x = stretch % parameters.stretches * 256u + local;
if(row < parameters.rows && x < parameters.width){
let reached = distances[row * parameters.width + x] != 0xffffffffu;
if(reached != INVERT){atomicOr(&found[local / 32u],1u <<(local % 32u));}
}
workgroupBarrier();
let column = stretch % parameters.stretches * 8u + local;
if(local < 8u && row < parameters.rows && column < parameters.words){
bits[(row + 1u)* parameters.words + column] = atomicLoad(&found[local]);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`distances`,binding:1,access:`read`},{name:`bits`,binding:2,access:`read_write`}],parameters:[`width`,`words`,`stretches`,`rows`]},"distance-rows":{code:`struct Parameters{
words: u32,
padded: u32,
total: u32,
first: u32,
reach: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read_write> steps: array<vec4u>;
const NONE = 0x7fffu;
override SIDES: bool = false;
var<workgroup> inside: array<vec3u,64>;
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let begin =(group.y * groups.x + group.x)* 64u;
if(local < 64u && begin + local < parameters.total){
let index = begin + local;
let column = min(index % parameters.padded,parameters.words - 1u);
let at = parameters.first + index / parameters.padded * parameters.words + column;
var left = NONE;
for(var i = 1u;i <= column &&(i - 1u)* 32u < parameters.reach;i++){
let word = bits[at - i];
if(word != 0u){
left = i * 32u - firstLeadingBit(word);
break;
}
}
var right = NONE;
for(var i = 1u;column + i < parameters.words &&(i - 1u)* 32u < parameters.reach;i++){
let word = bits[at + i];
if(word != 0u){
right =(i - 1u)* 32u + countTrailingZeros(word)+ 1u;
break;
}
}
inside[local] = vec3u(bits[at],left,right);
}
workgroupBarrier();
if(begin + local / 4u * 2u >= parameters.total){return;}
let x =(local % 4u)* 8u;
let low = eight(inside[local / 4u * 2u],x);
let high = eight(inside[local / 4u * 2u + 1u],x);
let at = begin * 4u + local * 2u;
steps[at] = vec4u(low.x & 0xffffu,low.x >> 16u,low.y & 0xffffu,low.y >> 16u)
| vec4u(high.x << 16u,high.x & 0xffff0000u,high.y << 16u,high.y & 0xffff0000u);
steps[at + 1u] = vec4u(low.z & 0xffffu,low.z >> 16u,low.w & 0xffffu,low.w >> 16u)
| vec4u(high.z << 16u,high.z & 0xffff0000u,high.w << 16u,high.w & 0xffff0000u);
}
fn eight(found: vec3u,x: u32)-> vec4u{
let low = found.x &((1u << x)- 1u);
let high = select(found.x >>(x + 8u),0u,x == 24u);
var left = select(found.y + x - 1u,x - 1u - firstLeadingBit(low),low != 0u);
var right = select(found.z + 23u - x,countTrailingZeros(high),high != 0u);
var lefts: array<u32,8>;
for(var i = 0u;i < 8u;i++){
left = select(left + 1u,0u,((found.x >>(x + i))& 1u)!= 0u);
lefts[i] = left;
}
var packed = vec4u(0u);
for(var i = 0u;i < 8u;i++){
let j = 7u - i;
right = select(right + 1u,0u,((found.x >>(x + j))& 1u)!= 0u);
let d = min(lefts[j],right);
let side = select(0u,0x8000u,SIDES && right < lefts[j]);
let value = select(d | side,0xffffu,d > parameters.reach);
packed[j / 2u] |= value <<(16u *(j % 2u));
}
return packed;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`steps`,binding:2,access:`read_write`}],parameters:[`words`,`padded`,`total`,`first`,`reach`]},"distance-search":{code:`struct Parameters{
columns: u32,
planes: u32,
plane: u32,
stride: u32,
sites: u32,
stretch: u32,
stops: u32,
weight: u32,
reach: u32,
stepX: u32,
blocks: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> costs: array<u32>;
@group(0)@binding(2)var<storage,read_write> found: array<u32>;
@group(0)@binding(3)var<storage,read> lows: array<u32>;
override LOWS: bool = false;
const NEAR = 32u;
`+P[`distance-cost`]+`var<private> base: u32;
var<private> low0: u32;
fn join(cost: vec2u,step: u32)-> vec2u{
if(METRIC == 2u){return max(cost,vec2u(step));}
if(FLOAT){return bitcast<vec2u>(bitcast<vec2f>(cost)+ bitcast<f32>(step));}
return cost + step;
}
fn siteAt(pair: u32)-> vec2u{
if(INPUT == 1u){
let at = first4(pair);
return vec2u(costs[at],costs[at + 32u]);
}
let two = costs[pair];
return vec2u(unpacked(two & 0xffffu),unpacked(two >> 16u));
}
struct Search{
best: vec2u,
place: vec2u,
}
fn pairOf(so: Search,siteBefore: vec2u,siteBehind: vec2u,step: u32,p: u32,d: u32)-> Search{
let before = join(siteBefore,step);
let early = before <= so.best;
let best = min(so.best,before);
let behind = join(siteBehind,step);
let late = behind < best;
return Search(min(best,behind),select(select(so.place,vec2u(p - d),early),vec2u(p + d),late));
}
struct FourSites{
before0: vec2u,
before1: vec2u,
before2: vec2u,
before3: vec2u,
behind0: vec2u,
behind1: vec2u,
behind2: vec2u,
behind3: vec2u,
}
fn fourAt(before: u32,behind: u32)-> FourSites{
let stride = parameters.stride;
return FourSites(
siteAt(before),
siteAt(before - stride),
siteAt(before - 2u * stride),
siteAt(before - 3u * stride),
siteAt(behind),
siteAt(behind + stride),
siteAt(behind + 2u * stride),
siteAt(behind + 3u * stride),
);
}
fn fourOf(start: Search,sites: FourSites,p: u32,d: u32)-> Search{
let steps = costOf4(i32(d));
var so = pairOf(start,sites.before0,sites.behind0,steps.x,p,d);
so = pairOf(so,sites.before1,sites.behind1,steps.y,p,d + 1u);
so = pairOf(so,sites.before2,sites.behind2,steps.z,p,d + 2u);
return pairOf(so,sites.before3,sites.behind3,steps.w,p,d + 3u);
}
fn search(p: u32)-> Search{
let here = base + p * parameters.stride;
var best = siteAt(here);
var place = vec2u(p);
let last = parameters.sites - 1u;
let both = min(min(p,last - p),parameters.reach);
let most = min(max(p,last - p),parameters.reach);
let stride = parameters.stride;
var d = 1u;
for(;d + 3u <= both &&(!LOWS || d <= NEAR);){
if(costOf(i32(d),parameters.weight)> max(best.x,best.y)){return Search(best,place);}
if(d >= 9u && d + 7u <= both){
let offset = d * stride;
let near = fourAt(here - offset,here + offset);
let further = fourAt(here - offset - 4u * stride,here + offset + 4u * stride);
let so = fourOf(fourOf(Search(best,place),near,p,d),further,p,d + 4u);
best = so.best;
place = so.place;
d += 8u;
}else{
let so = fourOf(Search(best,place),fourAt(here - d * stride,here + d * stride),p,d);
best = so.best;
place = so.place;
d += 4u;
}
}
if(LOWS){return searchBlocks(Search(best,place),p,d);}
for(;d <= both;d++){
let step = costOf(i32(d),parameters.weight);
if(step > max(best.x,best.y)){return Search(best,place);}
let so = pairOf(Search(best,place),siteAt(here - d * stride),siteAt(here + d * stride),step,p,d);
best = so.best;
place = so.place;
}
let left = p > last - p;
for(;d <= most;d++){
let step = costOf(i32(d),parameters.weight);
if(step > max(best.x,best.y)){break;}
let offset = d * stride;
let cost = join(siteAt(select(here + offset,here - offset,left)),step);
let better = select(cost < best,cost <= best,left);
best = min(best,cost);
place = select(place,vec2u(select(p + d,p - d,left)),better);
}
return Search(best,place);
}
fn worst(so: Search)-> u32{
return max(so.best.x,so.best.y);
}
fn searchBlocks(start: Search,p: u32,d: u32)-> Search{
var so = start;
let first = i32(p - min(p,parameters.reach));
let last = i32(min(p + parameters.reach,parameters.sites - 1u));
var before = i32(p)- i32(d);
var behind = i32(p)+ i32(d);
while(before >= first || behind <= last){
if(before >= first){
let step = costOf(i32(p)- before,parameters.weight);
let end = max(before & ~31,first);
if(step > worst(so)){
before = first - 1;
}else{
let low = lows[low0 + u32(before >> 5u)* parameters.columns];
if(low < infinity()&& join(vec2u(low),step).x <= worst(so)){
for(var i = before;i >= end;i--){
let cost = join(siteAt(base + u32(i)* parameters.stride),costOf(i32(p)- i,parameters.weight));
let better = cost <= so.best;
so = Search(min(so.best,cost),select(so.place,vec2u(u32(i)),better));
}
}
before = end - 1;
}
}
if(behind <= last){
let step = costOf(behind - i32(p),parameters.weight);
let end = min(behind | 31,last);
if(step > worst(so)){
behind = last + 1;
}else{
let low = lows[low0 + u32(behind >> 5u)* parameters.columns];
if(low < infinity()&& join(vec2u(low),step).x < worst(so)){
for(var i = behind;i <= end;i++){
let cost = join(siteAt(base + u32(i)* parameters.stride),costOf(i - i32(p),parameters.weight));
let better = cost < so.best;
so = Search(min(so.best,cost),select(so.place,vec2u(u32(i)),better));
}
}
behind = end + 1;
}
}
}
return so;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
let column = index % parameters.columns;
let stop = index / parameters.columns % parameters.stops;
let plane = index / parameters.columns / parameters.stops;
if(plane >= parameters.planes){return;}
base = plane * parameters.plane + column;
low0 = plane * parameters.blocks * parameters.columns + column;
let so = search(min(stop * parameters.stretch,parameters.sites - 1u));
let place = select(so.place,vec2u(0xffffu),so.best >= vec2u(infinity()));
found[index] = place.x |(place.y << 16u);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`costs`,binding:1,access:`read`},{name:`found`,binding:2,access:`read_write`},{name:`lows`,binding:3,access:`read`}],parameters:[`columns`,`planes`,`plane`,`stride`,`sites`,`stretch`,`stops`,`weight`,`reach`,`stepX`,`blocks`]},"fill-link-begin":{code:`struct Parameters{
words: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> left: array<u32>;
@group(0)@binding(2)var<storage,read_write> parents: array<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let at =(group.y * groups.x + group.x)* 256u + local;
if(at >= parameters.total){return;}
let bit = at & 31u;
let breaks = ~left[(at >> 5u)+ parameters.words] &(0xffffffffu >>(31u - bit));
parents[at] = at - bit +(31u - countLeadingZeros(breaks | 1u));
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`left`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read_write`}],parameters:[`words`,`total`]},"fill-link-join":{code:`struct Parameters{
words: u32,
total: u32,
eight: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> left: array<u32>;
@group(0)@binding(2)var<storage,read> up: array<u32>;
@group(0)@binding(3)var<storage,read> upLeft: array<u32>;
@group(0)@binding(4)var<storage,read> upRight: array<u32>;
@group(0)@binding(5)var<storage,read_write> parents: array<atomic<u32>>;
`+P.find+P.union+`fn comesAfter(a: u32,b: u32)-> bool{
return a > b;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let at = index + parameters.words;
let l = left[at];
let over = left[index];
let u = up[at];
let pixel = index * 32u;
let rowPixels = parameters.words * 32u;
if((l & 1u)== 1u){unite(pixel,pixel - 1u);}
for(var rest = u & ~((u << 1u)& l & over);rest != 0u;rest &= rest - 1u){
let p = pixel + countTrailingZeros(rest);
unite(p,p - rowPixels);
}
if(parameters.eight == 0u){return;}
for(var rest = upLeft[at] & ~(l &(u << 1u))& ~(u & over);rest != 0u;rest &= rest - 1u){
let p = pixel + countTrailingZeros(rest);
unite(p,p - rowPixels - 1u);
}
for(var rest = upRight[at] & ~((l >> 1u)&(u >> 1u))& ~(u &(over >> 1u));rest != 0u;rest &= rest - 1u){
let p = pixel + countTrailingZeros(rest);
unite(p,p - rowPixels + 1u);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`left`,binding:1,access:`read`},{name:`up`,binding:2,access:`read`},{name:`upLeft`,binding:3,access:`read`},{name:`upRight`,binding:4,access:`read`},{name:`parents`,binding:5,access:`read_write`}],parameters:[`words`,`total`,`eight`]},"fill-link-seeds":{code:`struct Parameters{
seeds: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> seeds: array<u32>;
@group(0)@binding(2)var<storage,read> parents: array<u32>;
@group(0)@binding(3)var<storage,read_write> marks: array<atomic<u32>>;
`+P.root+`@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u){
if(id.x >= parameters.seeds){return;}
let at = rootOf(seeds[id.x]);
atomicOr(&marks[at >> 5u],1u <<(at & 31u));
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`seeds`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read`},{name:`marks`,binding:3,access:`read_write`}],parameters:[`seeds`]},"fill-link-select":{code:`struct Parameters{
words: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> left: array<u32>;
@group(0)@binding(2)var<storage,read_write> parents: array<atomic<u32>>;
@group(0)@binding(3)var<storage,read> marks: array<u32>;
@group(0)@binding(4)var<storage,read_write> bits: array<u32>;
`+P.find+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let at = index + parameters.words;
var result = 0u;
for(var rest = ~left[at] | 1u;rest != 0u;rest &= rest - 1u){
let first = countTrailingZeros(rest);
let others = rest &(rest - 1u);
let root = find(index * 32u + first);
if(((marks[root >> 5u] >>(root & 31u))& 1u)== 1u){
result |=(others &(0u - others))-(1u << first);
}
}
bits[at] = result;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`left`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read_write`},{name:`marks`,binding:3,access:`read`},{name:`bits`,binding:4,access:`read_write`}],parameters:[`words`,`total`]},"fill-mark-seeds":{code:P.counters+`struct Parameters{
words: u32,
tileColumns: u32,
seeds: u32,
capacity: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> seeds: array<vec2u>;
@group(0)@binding(2)var<storage,read> bits: array<u32>;
@group(0)@binding(3)var<storage,read> segments: array<u32>;
@group(0)@binding(4)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(5)var<storage,read> map: array<u32>;
@group(0)@binding(6)var<storage,read> counters: array<u32>;
@group(0)@binding(7)var<storage,read_write> keep: array<atomic<u32>>;
`+P.cells+`@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u){
if(id.x >= parameters.seeds || counters[NODES] > parameters.capacity){return;}
let seed = seeds[id.x];
let column = seed.x / 32u;
let bit = seed.x % 32u;
let own = wordAt(column,seed.y);
if(((own >> bit)& 1u)== 0u){return;}
let k = segmentOf(startsOf(cellOf(own,column,seed.y)),bit);
let root = map[node(column,seed.y,k)];
atomicOr(&keep[root >> 5u],1u <<(root & 31u));
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`seeds`,binding:1,access:`read`},{name:`bits`,binding:2,access:`read`},{name:`segments`,binding:3,access:`read`},{name:`tileTable`,binding:4,access:`read`},{name:`map`,binding:5,access:`read`},{name:`counters`,binding:6,access:`read`},{name:`keep`,binding:7,access:`read_write`}],parameters:[`words`,`tileColumns`,`seeds`,`capacity`]},"fill-match-bytes":{code:`struct Parameters{
width: u32,
words: u32,
rows: u32,
first: u32,
row: u32,
fenced: u32,
lo0: u32,
lo1: u32,
lo2: u32,
lo3: u32,
hi0: u32,
hi1: u32,
hi2: u32,
hi3: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<vec4u>;
@group(0)@binding(2)var<storage,read> fence: array<u32>;
@group(0)@binding(3)var<storage,read_write> bits: array<u32>;
`+P[`colour-keys`]+P.nibble+`override CHANNELS: u32 = 1u;
var<workgroup> vectors: array<vec4u,512>;
var<workgroup> halves: array<u32,128>;
fn twelve(i: u32,lo: array<vec4u,3>,span: array<vec4u,3>)-> u32{
return nibble(vectors[i >> 2u][i & 3u],lo[0],span[0])
|(nibble(vectors[(i + 1u)>> 2u][(i + 1u)& 3u],lo[1],span[1])<< 4u)
|(nibble(vectors[(i + 2u)>> 2u][(i + 2u)& 3u],lo[2],span[2])<< 8u);
}
fn thirds(v: u32)-> u32{
return everyThird(v &(v >> 1u)&(v >> 2u));
}
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let total = parameters.rows * parameters.words;
let end = total * 2u * CHANNELS;
for(var k = 0u;k < CHANNELS;k++){
let at = block * 128u * CHANNELS + k * 128u + t;
if(at < end){vectors[k * 128u + t] = pixels[parameters.first / 16u + at];}
}
workgroupBarrier();
let lo = vec4u(parameters.lo0,parameters.lo1,parameters.lo2,parameters.lo3);
let span = vec4u(parameters.hi0,parameters.hi1,parameters.hi2,parameters.hi3)- lo;
var half = 0u;
if(CHANNELS == 3u){
let los = array(lo.xyzx,lo.yzxy,lo.zxyz);
let spans = array(span.xyzx,span.yzxy,span.zxyz);
let word = t * 12u;
half = thirds(twelve(word,los,spans)|(twelve(word + 3u,los,spans)<< 12u))
|(thirds(twelve(word + 6u,los,spans)|(twelve(word + 9u,los,spans)<< 12u))<< 8u);
}else if(CHANNELS == 4u){
for(var k = 0u;k < 16u;k++){
let whole = nibble(vectors[t * 4u +(k >> 2u)][k & 3u],lo,span)== 15u;
half |= select(0u,1u << k,whole);
}
}else{
for(var k = 0u;k < 4u;k++){half |= nibble(vectors[t][k],vec4u(lo.x),vec4u(span.x))<<(k * 4u);}
}
halves[t] = half;
workgroupBarrier();
let word = block * 64u + t;
if(t < 64u && word < total){
let at = parameters.row * parameters.words + word;
var both = halves[2u * t] |(halves[2u * t + 1u] << 16u);
if(parameters.fenced == 1u){both &= fence[at];}
bits[at] = both;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`fence`,binding:2,access:`read`},{name:`bits`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`rows`,`first`,`row`,`fenced`,`lo0`,`lo1`,`lo2`,`lo3`,`hi0`,`hi1`,`hi2`,`hi3`]},"fill-match":{code:`struct Parameters{
width: u32,
words: u32,
rows: u32,
first: u32,
row: u32,
fenced: u32,
metric: u32,
right: u32,
up: u32,
top: u32,
lo0: u32,
lo1: u32,
lo2: u32,
lo3: u32,
hi0: u32,
hi1: u32,
hi2: u32,
hi3: u32,
colour0: u32,
colour1: u32,
colour2: u32,
colour3: u32,
limit: u32,
limitHigh: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read> fence: array<u32>;
@group(0)@binding(3)var<storage,read_write> bits: array<u32>;
`+P[`float-keys`]+`override TYPE: u32 = 0u;
override CHANNELS: u32 = 1u;
override FLOATING: bool = false;
var<private> held: u32;
var<private> heldAt: u32 = 0xffffffffu;
fn word(at: u32)-> u32{
if(at != heldAt){
held = pixels[at];
heldAt = at;
}
return held;
}
fn value(at: u32)-> u32{
if(TYPE == 0u){return(word(at >> 2u)>>((at & 3u)* 8u))& 0xffu;}
if(TYPE == 3u){return key(pixels[at]);}
let v =(word(at >> 1u)>>((at & 1u)* 16u))& 0xffffu;
return select(v,v ^ 0x8000u,TYPE == 2u);
}
fn pixel(at: u32)-> vec4u{
var v = vec4u();
v.x = value(at);
if(CHANNELS > 1u){
v.y = value(at + 1u);
v.z = value(at + 2u);
}
if(CHANNELS > 3u){v.w = value(at + 3u);}
return v;
}
fn near(v: vec4u,other: vec4u)-> bool{
let d = vec4u(abs(vec4i(v)- vec4i(other)));
if(parameters.metric == 1u){return parameters.limitHigh > 0u || d.x + d.y + d.z + d.w <= parameters.limit;}
let squares = d * d;
var low = squares.x;
var high = 0u;
for(var c = 1u;c < CHANNELS;c++){
low += squares[c];
high += select(0u,1u,low < squares[c]);
}
return high < parameters.limitHigh ||(high == parameters.limitHigh && low <= parameters.limit);
}
fn fenced(row: u32,x: u32)-> bool{
return parameters.fenced == 1u &&((fence[(parameters.row + row)* parameters.words +(x >> 5u)] >>(x & 31u))& 1u)== 0u;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
let row = thread / parameters.words;
if(row >= parameters.rows){return;}
let column = thread % parameters.words;
let first = parameters.first +(row * parameters.width + column * 32u)* CHANNELS;
let count = min(32u,parameters.width - column * 32u);
let lo = vec4u(parameters.lo0,parameters.lo1,parameters.lo2,parameters.lo3);
let hi = vec4u(parameters.hi0,parameters.hi1,parameters.hi2,parameters.hi3);
let colour = vec4u(parameters.colour0,parameters.colour1,parameters.colour2,parameters.colour3);
var result = 0u;
for(var i = 0u;i < count;i++){
let v = pixel(first + i * CHANNELS);
var on: bool;
if(FLOATING){
let x = column * 32u + i + parameters.right - 1u;
if(x >= parameters.width ||(parameters.up == 1u && parameters.top == 1u && row == 0u)){continue;}
if(fenced(row,column * 32u + i)|| fenced(row - parameters.up,x)){continue;}
let other = pixel(first +(i + parameters.right - 1u - parameters.up * parameters.width)* CHANNELS);
let d = vec4u(abs(vec4i(v)- vec4i(other)));
on = select(near(v,other),all(d <= hi),parameters.metric == 0u);
}else{
on = select(near(v,colour),all(v - lo <= hi - lo),parameters.metric == 0u);
}
if(on){result |= 1u << i;}
}
let at =(parameters.row + row)* parameters.words + column;
if(parameters.fenced == 1u && !FLOATING){result &= fence[at];}
bits[at] = result;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`fence`,binding:2,access:`read`},{name:`bits`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`rows`,`first`,`row`,`fenced`,`metric`,`right`,`up`,`top`,`lo0`,`lo1`,`lo2`,`lo3`,`hi0`,`hi1`,`hi2`,`hi3`,`colour0`,`colour1`,`colour2`,`colour3`,`limit`,`limitHigh`]},"filter-claims":{code:`struct Parameters{
words: u32,
total: u32,
tileColumns: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> bits2: array<u32>;
@group(0)@binding(5)var<storage,read> segments2: array<u32>;
@group(0)@binding(6)var<storage,read> tileTable2: array<vec4u>;
@group(0)@binding(7)var<storage,read> map: array<u32>;
@group(0)@binding(8)var<storage,read_write> settled: array<u32>;
`+P.cells+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let at = index + parameters.words;
let row = index / parameters.words;
let column = index % parameters.words;
let tile =(row / CELL / ROWS)* parameters.tileColumns + column / COLUMNS;
let segment = segmentsAt(column,row);
let c = bits[at];
var cell2 = bits2[at];
var both = c & cell2;
if(CELL == 2u){cell2 |= bits2[((row ^ 1u)+ 1u)* parameters.words + column];}
let starts = startsOf(cellOf(c,column,row));
let starts2 = startsOf(cell2);
var result = c;
for(;both != 0u;both &= both - 1u){
let upTo = both ^(both - 1u);
let k = countOneBits(starts & upTo)- 1u;
let k2 = countOneBits(starts2 & upTo)- 1u;
let pair2 = segments2[segment +(k2 >> 1u)] >>((k2 & 1u)* 16u);
if(map[tileTable[tile].x + componentAt(segment,k)] > map[tileTable2[tile].x +(pair2 & 0xffffu)]){
result &= ~(both &(0u - both));
}
}
settled[at] = result;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`bits2`,binding:4,access:`read`},{name:`segments2`,binding:5,access:`read`},{name:`tileTable2`,binding:6,access:`read`},{name:`map`,binding:7,access:`read`},{name:`settled`,binding:8,access:`read_write`}],parameters:[`words`,`total`,`tileColumns`]},"filter-select":{code:`struct Parameters{
words: u32,
total: u32,
tileColumns: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> map: array<u32>;
@group(0)@binding(5)var<storage,read> keep: array<u32>;
@group(0)@binding(6)var<storage,read_write> kept: array<u32>;
`+P.cells+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let at = index + parameters.words;
let row = index / parameters.words;
let column = index % parameters.words;
let segment = segmentsAt(column,row);
let base = firstNode(column,row);
let c = bits[at];
var rest = cellOf(c,column,row);
var result = 0u;
for(var k = 0u;rest != 0u;k++){
let ones = lowestSegment(rest);
rest &= ~ones;
if((c & ones)== 0u){continue;}
let label = map[base + componentAt(segment,k)];
if(((keep[label >> 5u] >>(label & 31u))& 1u)== 1u){result |= c & ones;}
}
kept[at] = result;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`keep`,binding:5,access:`read`},{name:`kept`,binding:6,access:`read_write`}],parameters:[`words`,`total`,`tileColumns`]},gradient:{code:`struct Parameters{
total: u32,
width: u32,
lines: u32,
slices: u32,
stride: u32,
first: u32,
shift: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> result: array<f32>;
override TYPE: u32 = 0u;
override SOBEL: bool = true;
`+P.pixels+P.mirrored+P.sum64+`fn valueAt(x: i32,y: i32,z: i32)-> i32{
let row = mirrored(z,i32(parameters.slices))* i32(parameters.lines)+ mirrored(y,i32(parameters.lines));
let at = parameters.first + u32(row)* parameters.stride + u32(mirrored(x,i32(parameters.width)));
if(TYPE == 0u){return i32(byteAt(at));}
if(TYPE == 1u){return i32(shortAt(at));}
return signed16(shortAt(at));
}
fn derivatives(x: i32,y: i32,z: i32)-> vec3i{
let isVolume = parameters.slices > 1u;
if(!SOBEL){
var d = vec3i(
valueAt(x + 1,y,z)- valueAt(x - 1,y,z),
valueAt(x,y + 1,z)- valueAt(x,y - 1,z),
0,
);
if(isVolume){d.z = valueAt(x,y,z + 1)- valueAt(x,y,z - 1);}
return d;
}
var d = vec3i(0);
let reach = select(0,1,isVolume);
for(var k = -reach;k <= reach;k++){
let weightZ = select(1,2 - abs(k),isVolume);
for(var j = -1;j <= 1;j++){
let weightY = 2 - abs(j);
let before = valueAt(x - 1,y + j,z + k);
let here = valueAt(x,y + j,z + k);
let behind = valueAt(x + 1,y + j,z + k);
let sum = before + 2 * here + behind;
d += vec3i((behind - before)* weightY * weightZ,sum * j * weightZ,sum * k * weightY);
}
}
return d;
}
fn exceeds(a: vec2u,b: vec2u)-> bool{
return a.y > b.y ||(a.y == b.y && a.x > b.x);
}
fn rootOf(sum: vec2u)-> u32{
var root = u32(sqrt(f32(sum.y)* 4294967296.0 + f32(sum.x)));
for(var i = 0u;i < 8u && exceeds(multiply(root,root),sum);i++){root -= 1u;}
for(var i = 0u;i < 8u && !exceeds(multiply(root + 1u,root + 1u),sum);i++){root += 1u;}
return root + select(0u,1u,exceeds(sum,plus64(multiply(root,root),vec2u(root,0u))));
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let at =(group.y * groups.x + group.x)* 256u + t;
if(at >= parameters.total){return;}
let row = at / parameters.width;
let z = row / parameters.lines;
let d = derivatives(i32(at - row * parameters.width),i32(row - z * parameters.lines),i32(z));
let sizes = vec3u(abs(d));
let sum = plus64(plus64(multiply(sizes.x,sizes.x),multiply(sizes.y,sizes.y)),multiply(sizes.z,sizes.z));
result[at] = f32(rootOf(sum))* bitcast<f32>((127u - parameters.shift)<< 23u);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`result`,binding:2,access:`read_write`}],parameters:[`total`,`width`,`lines`,`slices`,`stride`,`first`,`shift`]},histogram:{code:`struct Parameters{
pixels: u32,
first: u32,
except: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> counts: array<atomic<u32>>;
@group(0)@binding(3)var<storage,read> edges: array<u32>;
`+P[`float-keys`]+P.pixels+`override MODE: u32 = 0u;
var<workgroup> local: array<atomic<u32>,256>;
fn level(at: u32)-> u32{
if(MODE == 0u){return byteAt(at);}
if(MODE >= 3u){return key(pixels[at]);}
let v = shortAt(at);
return select(v,v ^ 0x8000u,MODE == 2u);
}
fn bin(key: u32)-> u32{
var low = 0u;
var high = 255u;
while(low < high){
let middle =(low + high + 1u)/ 2u;
if(key >= edges[middle]){low = middle;}else{high = middle - 1u;}
}
return low;
}
fn add(level: u32,times: u32){
if(times == 0u){return;}
if(MODE == 0u || MODE == 4u){atomicAdd(&local[level],times);}else{atomicAdd(&counts[level],times);}
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let first =((group.y * groups.x + group.x)* 256u + t)* 32u;
let end = min(first + 32u,parameters.pixels);
if(MODE == 3u){
var most = 0u;
var least = 0xffffffffu;
for(var i = first;i < end;i++){
let v = level(parameters.first + i);
if(v >= POSITIVE_INFINITY || v <= NEGATIVE_INFINITY || v == parameters.except){continue;}
most = max(most,v);
least = min(least,v);
}
if(most > 0u){
atomicMax(&counts[0],most);
atomicMax(&counts[1],~least);
}
}else{
var last = 0u;
var times = 0u;
for(var i = first;i < end;i++){
var v = level(parameters.first + i);
if(MODE == 4u){
if(v >= POSITIVE_INFINITY || v <= NEGATIVE_INFINITY || v == parameters.except){continue;}
v = bin(v);
}
if(v != last){
add(last,times);
last = v;
times = 0u;
}
times++;
}
add(last,times);
}
workgroupBarrier();
if(MODE == 0u || MODE == 4u){
let sum = atomicLoad(&local[t]);
if(sum != 0u){atomicAdd(&counts[t],sum);}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`counts`,binding:2,access:`read_write`},{name:`edges`,binding:3,access:`read`}],parameters:[`pixels`,`first`,`except`]},"image-channel":{code:`struct Parameters{
pixels: u32,
first: u32,
which: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> plane: array<u32>;
`+P.pixels+P.values+`override CHANNELS: u32 = 3u;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
let per = 4u / BYTES;
let begin = thread * per;
if(begin >= parameters.pixels){return;}
var word = 0u;
for(var i = 0u;i < min(per,parameters.pixels - begin);i++){
word |= valueAt(parameters.first +(begin + i)* CHANNELS + parameters.which)<<(i * 8u * BYTES);
}
plane[thread] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`plane`,binding:2,access:`read_write`}],parameters:[`pixels`,`first`,`which`]},"image-luma":{code:`struct Parameters{
pixels: u32,
first: u32,
zero: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> luma: array<u32>;
`+P.pixels+`override TYPE: u32 = 0u;
override CHANNELS: u32 = 3u;
override ANY: bool = false;
fn raw(at: u32)-> u32{
if(TYPE == 0u){return byteAt(at);}
if(TYPE == 3u){return pixels[at];}
return shortAt(at);
}
fn signed(v: u32)-> i32{
return select(i32(v),signed16(v),TYPE == 2u);
}
fn rounded(v: f32)-> f32{
return bitcast<f32>(bitcast<u32>(v)^ parameters.zero);
}
fn reduced(pixel: u32)-> u32{
let at = parameters.first + pixel * CHANNELS;
let r = raw(at);
let g = raw(at + 1u);
let b = raw(at + 2u);
if(TYPE != 3u){
if(ANY){return r | g | b;}
return u32((77 * signed(r)+ 150 * signed(g)+ 29 * signed(b)+ 128)>> 8u);
}
let magnitude = vec3u(r,g,b)& vec3u(0x7fffffffu);
let sign = vec3u(r,g,b)>> vec3u(31u);
let infinite = magnitude == vec3u(0x7f800000u);
if(any(magnitude > vec3u(0x7f800000u))||(any(infinite &(sign == vec3u(0u)))&& any(infinite &(sign == vec3u(1u)))&& !ANY)){
return 0x7fc00000u;
}
if(ANY){return select(0u,0x3f800000u,any(magnitude != vec3u(0u)));}
if(any(infinite)){return select(0x7f800000u,0xff800000u,any(infinite &(sign == vec3u(1u))));}
let red = rounded(77.0 * bitcast<f32>(r));
let green = rounded(150.0 * bitcast<f32>(g));
let blue = rounded(29.0 * bitcast<f32>(b));
return bitcast<u32>(rounded(rounded(red + green)+ blue)* 0.00390625);
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
let per = select(select(2u,4u,TYPE == 0u),1u,TYPE == 3u);
let first = thread * per;
if(first >= parameters.pixels){return;}
let width = 32u / per;
var word = 0u;
for(var i = 0u;i < min(per,parameters.pixels - first);i++){
var v = reduced(first + i);
if(TYPE != 3u){v &=(1u << width)- 1u;}
word |= v <<(i * width);
}
luma[thread] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`luma`,binding:2,access:`read_write`}],parameters:[`pixels`,`first`,`zero`]},"image-stain":{code:`struct Parameters{
pixels: u32,
first: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read> entries: array<vec2u>;
@group(0)@binding(3)var<storage,read_write> amounts: array<u32>;
`+P.pixels+P.values+`override CHANNELS: u32 = 3u;
fn added(a: vec2u,b: vec2u)-> vec2u{
let lower = a.x + b.x;
return vec2u(lower,a.y + b.y + u32(lower < a.x));
}
fn scaled(sum: vec2u)-> u32{
if((sum.y >> 31u)!= 0u ||(sum.x | sum.y)== 0u){return 0u;}
let upper = sum.y != 0u;
let place = select(firstLeadingBit(sum.x),32u + firstLeadingBit(sum.y),upper);
let shift = 63u - place;
var high = sum.y;
var low = sum.x;
if(shift >= 32u){
high = low <<(shift - 32u);
low = 0u;
}else if(shift > 0u){
high =(high << shift)|(low >>(32u - shift));
low = low << shift;
}
let kept = high >> 8u;
let rest = high & 0xffu;
let up = rest > 128u ||(rest == 128u &&(low != 0u ||(kept & 1u)!= 0u));
return((place + 86u)<< 23u)+ kept + u32(up);
}
var<workgroup> near: array<vec2u,768>;
fn entryOf(at: u32)-> vec2u{
if(BYTES == 1u){return near[at];}
return entries[at];
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
if(BYTES == 1u){
for(var i = t;i < 768u;i += 256u){near[i] = entries[i];}
workgroupBarrier();
}
let begin =(group.y * groups.x + group.x)* 4096u;
let table = 1u <<(8u * BYTES);
for(var i = t;i < 4096u;i += 256u){
let pixel = begin + i;
if(pixel >= parameters.pixels){return;}
let at = parameters.first + pixel * CHANNELS;
let sum = added(entryOf(valueAt(at)),entryOf(table + valueAt(at + 1u)));
amounts[pixel] = scaled(added(sum,entryOf(2u * table + valueAt(at + 2u))));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`entries`,binding:2,access:`read`},{name:`amounts`,binding:3,access:`read_write`}],parameters:[`pixels`,`first`]},"image-unpitch":{code:`struct Parameters{
rowBytes: u32,
pitch: u32,
bytes: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pitched: array<u32>;
@group(0)@binding(2)var<storage,read_write> pixels: array<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index * 4u >= parameters.bytes){return;}
var word = 0u;
for(var i = 0u;i < min(4u,parameters.bytes - index * 4u);i++){
let at = index * 4u + i;
let source =(at / parameters.rowBytes)* parameters.pitch + at % parameters.rowBytes;
word |=((pitched[source >> 2u] >>((source & 3u)* 8u))& 0xffu)<<(i * 8u);
}
pixels[index] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pitched`,binding:1,access:`read`},{name:`pixels`,binding:2,access:`read_write`}],parameters:[`rowBytes`,`pitch`,`bytes`]},"kmeans-assign":{code:`struct Parameters{
k: u32,
colours: u32,
fraction: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> centres: array<vec4u>;
@group(0)@binding(2)var<storage,read> boxes: array<vec2u>;
@group(0)@binding(3)var<storage,read> points: array<u32>;
@group(0)@binding(4)var<storage,read_write> classes: array<u32>;
`+P[`centre-cost`]+P.points+`var<workgroup> ended: u32;
var<workgroup> nearest: atomic<u32>;
var<workgroup> kept: atomic<u32>;
var<workgroup> list: array<vec4u,256>;
fn place(point: u32)-> vec3u{
return coordinates(point)<< vec3u(parameters.fraction);
}
@compute @workgroup_size(64)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let k = parameters.k;
if(t == 0u){
ended = select(centres[0].x,1u,block * 64u >= parameters.colours);
atomicStore(&nearest,0xffffffffu);
}
if(workgroupUniformLoad(&ended)!= 0u){return;}
let lo = place(boxes[block].x);
let hi = place(boxes[block].y);
let middle =(lo + hi)/ vec3u(2u);
for(var j = t;j < k;j += 64u){
atomicMin(&nearest,(cost(centres[j + 1u].xyz,middle)& 0xffffff00u)| j);
}
workgroupBarrier();
let measure = centres[(atomicLoad(&nearest)& 255u)+ 1u].xyz;
for(var j = t;j < k;j += 64u){
let centre = centres[j + 1u].xyz;
let corner = select(lo,hi,centre > measure);
if(cost(corner,measure)>= cost(corner,centre)){list[atomicAdd(&kept,1u)] = vec4u(centre,j);}
}
workgroupBarrier();
let i = block * 64u + t;
if(i >= parameters.colours){return;}
let point = place(points[i]);
let count = atomicLoad(&kept);
var best = 0xffffffffu;
var class_ = 0u;
for(var n = 0u;n < count;n++){
let centre = list[n];
let found = cost(point,centre.xyz);
if(found < best ||(found == best && centre.w < class_)){
best = found;
class_ = centre.w;
}
}
classes[i] = class_;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`centres`,binding:1,access:`read`},{name:`boxes`,binding:2,access:`read`},{name:`points`,binding:3,access:`read`},{name:`classes`,binding:4,access:`read_write`}],parameters:[`k`,`colours`,`fraction`]},"kmeans-centres":{code:`struct Parameters{
k: u32,
fraction: u32,
limit: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read_write> centres: array<vec4u>;
@group(0)@binding(2)var<storage,read_write> sums: array<u32>;
`+P[`centre-cost`]+`override MEDIAN: bool = false;
var<workgroup> ended: u32;
var<workgroup> moved: atomic<u32>;
var<workgroup> empty: atomic<u32>;
fn divided(high: u32,low: u32,divisor: u32)-> u32{
var restHigh = high;
var restLow = low;
var quotient = 0u;
for(var bit = 10u;bit > 0u;bit--){
let b = bit - 1u;
let dLow = divisor << b;
let dHigh = select(divisor >>(32u - b),0u,b == 0u);
if(restHigh > dHigh ||(restHigh == dHigh && restLow >= dLow)){
restHigh -= dHigh + select(0u,1u,restLow < dLow);
restLow -= dLow;
quotient |= 1u << b;
}
}
for(var i = 0u;i < parameters.fraction + 1u;i++){
let over = restLow >> 31u;
restLow <<= 1u;
quotient <<= 1u;
if(over == 1u || restLow >= divisor){
restLow -= divisor;
quotient |= 1u;
}
}
return(quotient + 1u)>> 1u;
}
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index)t: u32){
if(t == 0u){ended = centres[0].x;}
if(workgroupUniformLoad(&ended)!= 0u){return;}
if(t < parameters.k){
let old = centres[t + 1u].xyz;
centres[t + 257u] = vec4u(old,0u);
let at = t * 8u;
let weight = sums[at];
var centre = old;
if(weight > 0u){
for(var axis = 0u;axis < 3u;axis++){
let low = sums[at + 1u + axis * 2u];
if(MEDIAN){centre[axis] = low << parameters.fraction;}
else{centre[axis] = divided(sums[at + 2u + axis * 2u],low,weight);}
}
}else{
atomicAdd(&empty,1u);
}
if(cost(old,centre)> parameters.limit){atomicAdd(&moved,1u);}
centres[t + 1u] = vec4u(centre,select(0u,1u,weight == 0u));
for(var word = at;word < at + 8u;word++){sums[word] = 0u;}
}
workgroupBarrier();
if(t == 0u){
let still = select(0u,1u,atomicLoad(&moved)== 0u);
centres[0] = vec4u(select(still,2u,atomicLoad(&empty)> 0u),centres[0].y + 1u,still,0u);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`centres`,binding:1,access:`read_write`},{name:`sums`,binding:2,access:`read_write`}],parameters:[`k`,`fraction`,`limit`]},"kmeans-colours-boxes":{code:`struct Parameters{
colours: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> points: array<u32>;
@group(0)@binding(2)var<storage,read_write> boxes: array<vec2u>;
`+P.points+`var<workgroup> least: array<atomic<u32>,12>;
var<workgroup> most: array<atomic<u32>,12>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
if(t < 12u){atomicStore(&least[t],1023u);}
workgroupBarrier();
let begin =(group.y * groups.x + group.x)* 256u;
let own =(t / 64u)* 3u;
if(begin + t < parameters.colours){
let point = points[begin + t];
for(var axis = 0u;axis < 3u;axis++){
let value =(point >>(axis * 10u))& 1023u;
atomicMin(&least[own + axis],value);
atomicMax(&most[own + axis],value);
}
}
workgroupBarrier();
if(t % 64u == 0u && begin + t < parameters.colours){
boxes[(begin + t)/ 64u] = vec2u(
packed(atomicLoad(&least[own]),atomicLoad(&least[own + 1u]),atomicLoad(&least[own + 2u])),
packed(atomicLoad(&most[own]),atomicLoad(&most[own + 1u]),atomicLoad(&most[own + 2u])),
);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`points`,binding:1,access:`read`},{name:`boxes`,binding:2,access:`read_write`}],parameters:[`colours`]},"kmeans-colours-count":{code:`struct Parameters{
pixels: u32,
first: u32,
skip: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> counts: array<atomic<u32>>;
@group(0)@binding(3)var<storage,read_write> marks: array<atomic<u32>>;
`+P[`colour-keys`]+P.pixels+`override CHANNELS: u32 = 3u;
fn add(key: u32,times: u32){
if(atomicAdd(&counts[key],times)== 0u){atomicOr(&marks[key >> 5u],1u <<(key & 31u));}
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let begin =((group.y * groups.x + group.x)* 256u + t)* 16u;
let end = min(begin + 16u,parameters.pixels);
var last = 0u;
var times = 0u;
var other = 0u;
var otherTimes = 0u;
for(var i = begin;i < end;i++){
let at = parameters.first + i * CHANNELS;
if(CHANNELS == 4u && parameters.skip == 1u && byteAt(at + 3u)== 0u){continue;}
let key =(spread(byteAt(at))<< 2u)|(spread(byteAt(at + 1u))<< 1u)| spread(byteAt(at + 2u));
if(key != last || times == 0u){
if(key != other && otherTimes > 0u){
add(other,otherTimes);
otherTimes = 0u;
}
let before = last;
let beforeTimes = times;
last = key;
times = otherTimes;
other = before;
otherTimes = beforeTimes;
}
times++;
}
if(times > 0u){add(last,times);}
if(otherTimes > 0u){add(other,otherTimes);}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`counts`,binding:2,access:`read_write`},{name:`marks`,binding:3,access:`read_write`}],parameters:[`pixels`,`first`,`skip`]},"kmeans-colours-list":{code:`struct Parameters{
words: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> counts: array<u32>;
@group(0)@binding(2)var<storage,read> marks: array<u32>;
@group(0)@binding(3)var<storage,read> ranks: array<u32>;
@group(0)@binding(4)var<storage,read> blocks: array<u32>;
@group(0)@binding(5)var<storage,read_write> keys: array<u32>;
@group(0)@binding(6)var<storage,read_write> weights: array<u32>;
@group(0)@binding(7)var<storage,read_write> points: array<u32>;
`+P[`colour-keys`]+P.points+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let part =(group.y * groups.x + group.x)* 256u + t;
if(part * 8u >= parameters.words){return;}
var to = blocks[(part >> 8u)* 3u] + ranks[part];
for(var word = part * 8u;word < part * 8u + 8u;word++){
for(var bits = marks[word];bits != 0u;bits &= bits - 1u){
let key = word * 32u + countTrailingZeros(bits);
keys[to] = key;
weights[to] = counts[key];
points[to] = packed(everyThird(key >> 2u),everyThird(key >> 1u),everyThird(key));
to++;
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`counts`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read`},{name:`ranks`,binding:3,access:`read`},{name:`blocks`,binding:4,access:`read`},{name:`keys`,binding:5,access:`read_write`},{name:`weights`,binding:6,access:`read_write`},{name:`points`,binding:7,access:`read_write`}],parameters:[`words`]},"kmeans-colours-look-up":{code:`struct Parameters{
pixels: u32,
first: u32,
skip: u32,
to: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read> table: array<u32>;
@group(0)@binding(3)var<storage,read_write> classes: array<u32>;
`+P[`colour-keys`]+P.pixels+`override CHANNELS: u32 = 3u;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let begin =((group.y * groups.x + group.x)* 256u + t)* 4u;
if(begin >= parameters.pixels){return;}
var word = 0u;
for(var i = 0u;i < min(4u,parameters.pixels - begin);i++){
let at = parameters.first +(begin + i)* CHANNELS;
var class_ = 255u;
if(CHANNELS != 4u || parameters.skip == 0u || byteAt(at + 3u)!= 0u){
var key = spread(byteAt(at))<< 2u;
if(CHANNELS > 1u){key |=(spread(byteAt(at + 1u))<< 1u)| spread(byteAt(at + 2u));}
class_ = table[key];
}
word |= class_ <<(i * 8u);
}
classes[parameters.to + begin / 4u] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`table`,binding:2,access:`read`},{name:`classes`,binding:3,access:`read_write`}],parameters:[`pixels`,`first`,`skip`,`to`]},"kmeans-colours-name":{code:`struct Parameters{
colours: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> keys: array<u32>;
@group(0)@binding(2)var<storage,read> classes: array<u32>;
@group(0)@binding(3)var<storage,read> names: array<u32>;
@group(0)@binding(4)var<storage,read_write> table: array<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let i =(group.y * groups.x + group.x)* 256u + t;
if(i < parameters.colours){table[keys[i]] = names[classes[i]];}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`keys`,binding:1,access:`read`},{name:`classes`,binding:2,access:`read`},{name:`names`,binding:3,access:`read`},{name:`table`,binding:4,access:`read_write`}],parameters:[`colours`]},"kmeans-cost":{code:`struct Parameters{
colours: u32,
fraction: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> centres: array<vec4u>;
@group(0)@binding(2)var<storage,read> points: array<u32>;
@group(0)@binding(3)var<storage,read> weights: array<u32>;
@group(0)@binding(4)var<storage,read> classes: array<u32>;
@group(0)@binding(5)var<storage,read_write> total: array<atomic<u32>>;
`+P[`centre-cost`]+P.points+P.sum64+`var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let begin =((group.y * groups.x + group.x)* 256u + t)* 8u;
let end = min(begin + 8u,parameters.colours);
var sum = vec2u();
for(var i = begin;i < end;i++){
let point = coordinates(points[i])<< vec3u(parameters.fraction);
sum = plus64(multiply(cost(point,centres[classes[i] + 1u].xyz),weights[i]),sum);
}
let upper = upperOf(atomicAdd(&low,sum.x),sum);
if(upper > 0u){atomicAdd(&high,upper);}
workgroupBarrier();
if(t == 0u){
let own = vec2u(atomicLoad(&low),atomicLoad(&high));
atomicAdd(&total[1],upperOf(atomicAdd(&total[0],own.x),own));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`centres`,binding:1,access:`read`},{name:`points`,binding:2,access:`read`},{name:`weights`,binding:3,access:`read`},{name:`classes`,binding:4,access:`read`},{name:`total`,binding:5,access:`read_write`}],parameters:[`colours`,`fraction`]},"kmeans-median":{code:`struct Parameters{
k: u32,
levels: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> centres: array<vec4u>;
@group(0)@binding(2)var<storage,read_write> histograms: array<u32>;
@group(0)@binding(3)var<storage,read_write> sums: array<u32>;
`+P.scan+`const THREADS = 64u;
alias Scanned = u32;
var<workgroup> ended: u32;
@compute @workgroup_size(64)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let index = group.y * groups.x + group.x;
if(t == 0u){ended = select(centres[0].x,1u,index >= 3u * parameters.k);}
if(workgroupUniformLoad(&ended)!= 0u){return;}
let share = parameters.levels / 64u;
let first = index * parameters.levels + t * share;
var sum = 0u;
for(var i = first;i < first + share;i++){sum += histograms[i];}
scanned[t] = sum;
scan(t);
workgroupBarrier();
let total = scanned[63];
let half = total / 2u +(total & 1u);
let class_ = index % parameters.k;
var passed = scanned[t] - sum;
for(var i = 0u;i < share;i++){
let count = histograms[first + i];
if(passed < half && passed + count >= half){sums[class_ * 8u + 1u +(index / parameters.k)* 2u] = t * share + i;}
passed += count;
histograms[first + i] = 0u;
}
if(t == 0u && index < parameters.k){sums[class_ * 8u] = total;}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`centres`,binding:1,access:`read`},{name:`histograms`,binding:2,access:`read_write`},{name:`sums`,binding:3,access:`read_write`}],parameters:[`k`,`levels`]},"kmeans-sum":{code:`struct Parameters{
k: u32,
colours: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> centres: array<vec4u>;
@group(0)@binding(2)var<storage,read> points: array<u32>;
@group(0)@binding(3)var<storage,read> weights: array<u32>;
@group(0)@binding(4)var<storage,read> classes: array<u32>;
@group(0)@binding(5)var<storage,read_write> sums: array<atomic<u32>>;
`+P.points+P.sum64+`var<workgroup> ended: u32;
var<workgroup> local: array<atomic<u32>,2048>;
fn addLocal(at: u32,value: vec2u){
let high = upperOf(atomicAdd(&local[at],value.x),value);
if(high > 0u){atomicAdd(&local[at + 1u],high);}
}
fn flush(class_: u32,weight: u32,lower: vec3u,upper: vec3u){
atomicAdd(&local[class_ * 8u],weight);
for(var axis = 0u;axis < 3u;axis++){
let shifted = vec2u(upper[axis] << 16u,upper[axis] >> 16u);
addLocal(class_ * 8u + 1u + axis * 2u,plus64(shifted,vec2u(lower[axis],0u)));
}
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let begin =((group.y * groups.x + group.x)* 256u + t)* 8u;
if(t == 0u){ended = centres[0].x;}
if(workgroupUniformLoad(&ended)!= 0u){return;}
let end = min(begin + 8u,parameters.colours);
var class_ = 0u;
var weight = 0u;
var lower = vec3u();
var upper = vec3u();
for(var i = begin;i < end;i++){
let own = classes[i];
if(own != class_ && weight > 0u){
flush(class_,weight,lower,upper);
weight = 0u;
lower = vec3u();
upper = vec3u();
}
class_ = own;
let point = coordinates(points[i]);
weight += weights[i];
lower += point *(weights[i] & 0xffffu);
upper += point *(weights[i] >> 16u);
}
if(weight > 0u){flush(class_,weight,lower,upper);}
workgroupBarrier();
for(var j = t;j < parameters.k;j += 256u){
let at = j * 8u;
let added = atomicLoad(&local[at]);
if(added == 0u){continue;}
atomicAdd(&sums[at],added);
for(var word = at + 1u;word < at + 7u;word += 2u){
let sum = vec2u(atomicLoad(&local[word]),atomicLoad(&local[word + 1u]));
let high = upperOf(atomicAdd(&sums[word],sum.x),sum);
if(high > 0u){atomicAdd(&sums[word + 1u],high);}
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`centres`,binding:1,access:`read`},{name:`points`,binding:2,access:`read`},{name:`weights`,binding:3,access:`read`},{name:`classes`,binding:4,access:`read`},{name:`sums`,binding:5,access:`read_write`}],parameters:[`k`,`colours`]},"kmeans-tally":{code:`struct Parameters{
k: u32,
colours: u32,
levels: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> centres: array<vec4u>;
@group(0)@binding(2)var<storage,read> points: array<u32>;
@group(0)@binding(3)var<storage,read> weights: array<u32>;
@group(0)@binding(4)var<storage,read> classes: array<u32>;
@group(0)@binding(5)var<storage,read_write> histograms: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let i =(group.y * groups.x + group.x)* 256u + t;
if(i >= parameters.colours || centres[0].x != 0u){return;}
let point = points[i];
let class_ = classes[i];
for(var axis = 0u;axis < 3u;axis++){
let level =(point >>(axis * 10u))& 1023u;
atomicAdd(&histograms[(axis * parameters.k + class_)* parameters.levels + level],weights[i]);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`centres`,binding:1,access:`read`},{name:`points`,binding:2,access:`read`},{name:`weights`,binding:3,access:`read`},{name:`classes`,binding:4,access:`read`},{name:`histograms`,binding:5,access:`read_write`}],parameters:[`k`,`colours`,`levels`]},"labels-expand-pixels":{code:`struct Parameters{
width: u32,
words: u32,
tileColumns: u32,
row: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> map: array<u32>;
@group(0)@binding(5)var<storage,read_write> labels: array<u32>;
override SECOND: bool = false;
`+P.cells+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let pixel =(group.y * groups.x + group.x)* 256u + local;
if(pixel >= parameters.total){return;}
let x = pixel % parameters.width;
let y = parameters.row + pixel / parameters.width;
let column = x >> 5u;
let own = wordAt(column,y);
if(((own >>(x & 31u))& 1u)== 0u){
if(!SECOND){labels[pixel] = 0u;}
return;
}
let k = segmentOf(startsOf(cellOf(own,column,y)),x & 31u);
labels[pixel] = map[node(column,y,k)];
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`labels`,binding:5,access:`read_write`}],parameters:[`width`,`words`,`tileColumns`,`row`,`total`]},"labels-expand":{code:`struct Parameters{
width: u32,
words: u32,
tileColumns: u32,
row: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> map: array<u32>;
@group(0)@binding(5)var<storage,read_write> labels: array<vec4u>;
override SECOND: bool = false;
`+P.cells+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
if(thread >= parameters.total){return;}
let pixel = thread * 4u;
let x = pixel % parameters.width;
let y = parameters.row + pixel / parameters.width;
let column = x >> 5u;
let own = wordAt(column,y);
let four =(own >>(x & 31u))& 15u;
var result = vec4u();
if(four != 0u){
let starts = startsOf(cellOf(own,column,y));
let segment = segmentsAt(column,y);
let base = firstNode(column,y);
var k = countOneBits(starts &((2u <<(x & 31u))- 1u));
let begin = starts >>(x & 31u);
var label = 0u;
for(var i = 0u;i < 4u;i++){
if(i > 0u &&((begin >> i)& 1u)== 1u){
k++;
label = 0u;
}
if(((four >> i)& 1u)== 1u){
if(label == 0u){label = map[base + componentAt(segment,k - 1u)];}
result[i] = label;
}
}
}
if(SECOND){result = max(result,labels[thread]);}
labels[thread] = result;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`labels`,binding:5,access:`read_write`}],parameters:[`width`,`words`,`tileColumns`,`row`,`total`]},"labels-nearest":{code:`struct Parameters{
width: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> nearest: array<u32>;
@group(0)@binding(2)var<storage,read> labels: array<u32>;
@group(0)@binding(3)var<storage,read_write> grown: array<u32>;
@group(0)@binding(4)var<storage,read_write> counts: array<atomic<u32>>;
var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
fn labelOf(pixel: u32)-> u32{
let site = nearest[pixel];
if(site >= parameters.total){return 0u;}
return labels[site];
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let pixel =(group.y * groups.x + group.x)* 256u + t;
if(pixel < parameters.total){
let label = labelOf(pixel);
grown[pixel] = label;
if(label != 0u){
atomicAdd(&pixels,1u);
var before = 0u;
if(pixel % parameters.width != 0u){before = labelOf(pixel - 1u);}
if(before != label){atomicAdd(&runs,1u);}
}
}
workgroupBarrier();
if(t == 0u){
atomicAdd(&counts[0],atomicLoad(&pixels));
atomicAdd(&counts[1],atomicLoad(&runs));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`nearest`,binding:1,access:`read`},{name:`labels`,binding:2,access:`read`},{name:`grown`,binding:3,access:`read_write`},{name:`counts`,binding:4,access:`read_write`}],parameters:[`width`,`total`]},"labels-relabel":{code:`struct Parameters{
nodes: u32,
base: u32,
joined: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> map: array<u32>;
@group(0)@binding(2)var<storage,read> joined: array<vec2u>;
@group(0)@binding(3)var<storage,read_write> labels: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
for(var i = id.x;i < parameters.nodes;i += groups.x * 256u){
let label = map[i];
var low = 0u;
var high = parameters.joined;
while(low < high){
let middle =(low + high)/ 2u;
if(joined[middle].x < label){low = middle + 1u;}else{high = middle;}
}
if(low < parameters.joined && joined[low].x == label){
labels[i] = joined[low].y;
}else{
labels[i] = parameters.base + label - low;
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`map`,binding:1,access:`read`},{name:`joined`,binding:2,access:`read`},{name:`labels`,binding:3,access:`read_write`}],parameters:[`nodes`,`base`,`joined`]},"labels-window":{code:`struct Parameters{
width: u32,
height: u32,
depth: u32,
words: u32,
tileColumns: u32,
row: u32,
rows: u32,
axis: u32,
x: u32,
y: u32,
z: u32,
step: u32,
columns: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> map: array<u32>;
@group(0)@binding(5)var<storage,read_write> labels: array<u32>;
override MASK: bool = false;
`+P.cells+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let pixel =(group.y * groups.x + group.x)* 256u + local;
if(pixel >= parameters.total){return;}
let i = i32(pixel % parameters.columns * parameters.step);
let j = i32(pixel / parameters.columns * parameters.step);
var at = vec3i(bitcast<i32>(parameters.x),bitcast<i32>(parameters.y),bitcast<i32>(parameters.z));
if(parameters.axis == 0u){at += vec3i(0,i,j);}
else if(parameters.axis == 1u){at += vec3i(i,0,j);}
else{at += vec3i(i,j,0);}
let size = vec3i(i32(parameters.width),i32(parameters.height),i32(parameters.depth));
if(any(at < vec3i(0))|| any(at >= size)){return;}
let whole = u32(at.z)* parameters.height + u32(at.y);
if(whole < parameters.row || whole >= parameters.row + parameters.rows){return;}
let x = u32(at.x);
let y = whole - parameters.row;
let column = x >> 5u;
let own = wordAt(column,y);
if(((own >>(x & 31u))& 1u)== 0u){return;}
if(MASK){
labels[pixel] = 1u;
return;
}
let k = segmentOf(startsOf(cellOf(own,column,y)),x & 31u);
labels[pixel] = map[node(column,y,k)];
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`labels`,binding:5,access:`read_write`}],parameters:[`width`,`height`,`depth`,`words`,`tileColumns`,`row`,`rows`,`axis`,`x`,`y`,`z`,`step`,`columns`,`total`]},"links-expand":{code:`struct Parameters{
width: u32,
words: u32,
total: u32,
pixels: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> links: array<u32>;
@group(0)@binding(2)var<storage,read> names: array<u32>;
@group(0)@binding(3)var<storage,read> tops: array<u32>;
@group(0)@binding(4)var<storage,read_write> labels: array<vec4u>;
`+P.links+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let first =((group.y * groups.x + group.x)* 256u + local)* 4u;
if(first >= parameters.pixels){return;}
var four = vec4u();
var held = 0xffffffffu;
var own = 0u;
var firsts = 0u;
var top = 0u;
var row = first / parameters.width;
var x = first - row * parameters.width;
for(var i = 0u;i < 4u && first + i < parameters.pixels;i++){
let word = row * parameters.words +(x >> 5u);
if(word != held){
held = word;
own = links[word];
firsts = firstsOf(own,links[parameters.total + word]);
top = tops[word];
}
let bit = x & 31u;
if(((own >> bit)& 1u)== 1u){
if(i > 0u && bit > 0u &&((firsts >> bit)& 1u)== 0u){
four[i] = four[i - 1u];
}else{
let node = stretchOf(word,firsts,bit);
four[i] = names[node];
if(((top >>(node & 31u))& 1u)== 0u){four[i] = names[four[i]];}
}
}
x++;
if(x == parameters.width){
x = 0u;
row++;
}
}
labels[first >> 2u] = four;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`links`,binding:1,access:`read`},{name:`names`,binding:2,access:`read`},{name:`tops`,binding:3,access:`read`},{name:`labels`,binding:4,access:`read_write`}],parameters:[`width`,`words`,`total`,`pixels`]},"links-flatten":{code:`struct Parameters{
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> tops: array<u32>;
@group(0)@binding(2)var<storage,read_write> parents: array<u32>;
@group(0)@binding(3)var<storage,read_write> marks: array<u32>;
`+P.root+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let word =(group.y * groups.x + group.x)* 256u + local;
if(word >= parameters.total){return;}
var roots = tops[word];
for(var rest = roots;rest != 0u;rest &= rest - 1u){
let node = word * 32u + countTrailingZeros(rest);
let root = rootOf(node);
if(root != node){
roots ^= rest &(0u - rest);
parents[node] = root;
}
}
marks[word] = roots;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`tops`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read_write`},{name:`marks`,binding:3,access:`read_write`}],parameters:[`total`]},"links-match":{code:`struct Parameters{
width: u32,
words: u32,
height: u32,
rows: u32,
total: u32,
first: u32,
tolerance: u32,
grounds: u32,
ground0: u32,
ground1: u32,
ground2: u32,
ground3: u32,
except: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> links: array<u32>;
`+P.pixels+`override TYPE: u32 = 0u;
override CHANNELS: u32 = 1u;
override CONNECTIVITY: u32 = 4u;
override EXACT: bool = true;
override ALIGNED: bool = false;
const BYTES4 = vec4u(1u,2u,4u,8u);
var<workgroup> bytes: array<vec4u,256>;
fn isUsed(k: u32)-> bool{
if(k == 0u){return true;}
if(k == 1u){return CONNECTIVITY != 4u && CONNECTIVITY != 8u;}
return CONNECTIVITY >= 18u;
}
fn isWidened(k: u32)-> bool{
if(k < 2u){return CONNECTIVITY == 8u || CONNECTIVITY >= 18u;}
return CONNECTIVITY == 26u;
}
fn rowsBack(k: u32)-> u32{
if(k == 0u){return 1u;}
return select(select(parameters.height - 1u,parameters.height + 1u,k == 2u),parameters.height,k == 1u);
}
fn isThere(k: u32,y: u32,z: u32)-> bool{
if(k == 0u){return y > 0u;}
return z > 0u &&(k != 2u || y > 0u)&&(k != 3u || y + 1u < parameters.height);
}
fn value(at: u32)-> u32{
if(TYPE == 0u){return byteAt(at);}
return select(shortAt(at),shortAt(at)^ 0x8000u,TYPE == 2u);
}
fn pixel(at: u32)-> vec4u{
var v = vec4u(value(at),0u,0u,0u);
if(CHANNELS > 1u){
v.y = value(at + 1u);
v.z = value(at + 2u);
}
if(CHANNELS > 3u){v.w = value(at + 3u);}
return v;
}
fn four(at: u32)-> u32{
let last = arrayLength(&pixels)- 1u;
let low = pixels[min(at >> 2u,last)];
let shift =(at & 3u)* 8u;
if(shift == 0u){return low;}
return(low >> shift)|(pixels[min((at >> 2u)+ 1u,last)] <<(32u - shift));
}
fn equalBytes(x: vec2u,y: vec2u)-> u32{
let d = x ^ y;
let equal = ~(((d & vec2u(0x7f7f7f7fu))+ vec2u(0x7f7f7f7fu))| d)& vec2u(0x80808080u);
let four =((equal >> vec2u(7u))* 0x10204080u)>> vec2u(28u);
return four.x |(four.y << 4u);
}
fn nearFour(x: u32,y: u32)-> u32{
let d = abs(vec4i(unpack4xU8(x))- vec4i(unpack4xU8(y)));
return dot(select(vec4u(),BYTES4,d <= vec4i(i32(parameters.tolerance))),vec4u(1u));
}
fn nearBytes(x: vec2u,y: vec2u)-> u32{
if(EXACT){return equalBytes(x,y);}
return nearFour(x.x,y.x)|(nearFour(x.y,y.y)<< 4u);
}
fn isNear(a: vec4u,b: vec4u)-> bool{
return all(abs(vec4i(a)- vec4i(b))<= vec4i(i32(min(parameters.tolerance,65535u))));
}
fn ground()-> vec4u{
return vec4u(parameters.ground0,parameters.ground1,parameters.ground2,parameters.ground3);
}
fn exception()-> vec4u{
return select(vec4u(),vec4u(parameters.except),vec4u(0u,1u,2u,3u)< vec4u(CHANNELS));
}
fn isGround(v: vec4u)-> bool{
return((parameters.grounds & 1u)!= 0u && all(v == ground()))||((parameters.grounds & 2u)!= 0u && all(v == exception()));
}
fn groundBytes(v: vec2u)-> u32{
var found = 0u;
if((parameters.grounds & 1u)!= 0u){found = equalBytes(v,vec2u(parameters.ground0 * 0x01010101u));}
if((parameters.grounds & 2u)!= 0u){found |= equalBytes(v,vec2u(parameters.except * 0x01010101u));}
return found;
}
fn foregroundOf(at: u32,count: u32,own: vec2u)-> u32{
if(TYPE == 0u && CHANNELS == 1u){return ~groundBytes(own);}
var found = 0u;
for(var i = 0u;i < count;i++){
if(!isGround(pixel(parameters.first +(at + i)* CHANNELS))){found |= 1u << i;}
}
return found;
}
struct Octet{
before: u32,
own: vec2u,
after: u32,
}
fn octetAt(at: u32)-> Octet{
if(ALIGNED){
let word = at >> 2u;
let last = arrayLength(&pixels)- 1u;
let second = min(word + 1u,last);
let before = pixels[select(word - 1u,0u,word == 0u)] >> 24u;
return Octet(before,vec2u(pixels[word],pixels[second]),pixels[min(word + 2u,last)] << 24u);
}
return Octet(byteAt(select(at - 1u,0u,at == 0u)),vec2u(four(at),four(at + 4u)),four(at + 8u)<< 24u);
}
fn leftOf(o: Octet)-> vec2u{
return vec2u((o.own.x << 8u)| o.before,(o.own.y << 8u)|(o.own.x >> 24u));
}
fn rightOf(o: Octet)-> vec2u{
return vec2u((o.own.x >> 8u)|(o.own.y << 24u),(o.own.y >> 8u)| o.after);
}
fn bytesMatch(v: vec2u,w: vec2u,there: u32)-> u32{
var near = nearBytes(v,w)& there;
if(!EXACT){near &= ~groundBytes(w);}
return near;
}
fn matches(at: u32,other: u32,there: u32)-> u32{
var found = 0u;
for(var rest = there;rest != 0u;rest &= rest - 1u){
let i = countTrailingZeros(rest);
let w = pixel(parameters.first +(other + i)* CHANNELS);
if(isNear(pixel(parameters.first +(at + i)* CHANNELS),w)&& !isGround(w)){found |= 1u << i;}
}
return found;
}
fn rowMatches(at: u32,own: vec2u,other: u32,there: u32,notFirst: u32,notLast: u32,widened: bool)-> vec3u{
if(there == 0u){return vec3u();}
if(TYPE == 0u && CHANNELS == 1u){
let octet = octetAt(parameters.first + other);
var found = vec3u(bytesMatch(own,octet.own,there),0u,0u);
if(widened){
found.y = bytesMatch(own,leftOf(octet),there & notFirst);
found.z = bytesMatch(own,rightOf(octet),there & notLast);
}
return found;
}
var found = vec3u(matches(at,other,there),0u,0u);
if(widened){
found.y = matches(at,other - 1u,there & notFirst);
found.z = matches(at,other + 1u,there & notLast);
}
return found;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let octet = block * 256u + t;
let row = octet /(parameters.words * 4u);
let x =(octet %(parameters.words * 4u))* 8u;
var found = vec4u();
var planes = 2u;
if(row < parameters.rows && x < parameters.width){
let count = min(8u,parameters.width - x);
let at = row * parameters.width + x;
let y = row % parameters.height;
let z = row / parameters.height;
let inside =(1u << count)- 1u;
var own = Octet();
if(TYPE == 0u && CHANNELS == 1u){own = octetAt(parameters.first + at);}
let foreground = foregroundOf(at,count,own.own)& inside;
let notFirst = select(255u,254u,x == 0u);
let notLast = inside >> select(0u,1u,x + count == parameters.width);
let there = foreground & notFirst;
var left: u32;
if(TYPE == 0u && CHANNELS == 1u){
left = bytesMatch(own.own,leftOf(own),there);
}else{
left = matches(at,at - 1u,there);
}
found.x = foreground |(left << 8u);
for(var k = 0u;k < 4u;k++){
if(!isUsed(k)){continue;}
let earlier = select(0u,foreground,isThere(k,y,z));
let other = at - rowsBack(k)* parameters.width;
let matched = rowMatches(at,own.own,other,earlier,notFirst,notLast,isWidened(k));
found[planes >> 2u] |= matched.x <<((planes & 3u)* 8u);
planes++;
if(!isWidened(k)){continue;}
found[planes >> 2u] |= matched.y <<((planes & 3u)* 8u);
planes++;
found[planes >> 2u] |= matched.z <<((planes & 3u)* 8u);
planes++;
}
}
bytes[t] = found;
workgroupBarrier();
planes = 2u;
for(var k = 0u;k < 4u;k++){
if(isUsed(k)){planes += select(1u,3u,isWidened(k));}
}
for(var i = t;i < planes * 64u;i += 256u){
let plane = i >> 6u;
let word = i & 63u;
let at = block * 64u + word;
if(at >= parameters.total){continue;}
var whole = 0u;
for(var j = 0u;j < 4u;j++){
whole |=((bytes[word * 4u + j][plane >> 2u] >>((plane & 3u)* 8u))& 255u)<<(j * 8u);
}
links[plane * parameters.total + at] = whole;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`links`,binding:2,access:`read_write`}],parameters:[`width`,`words`,`height`,`rows`,`total`,`first`,`tolerance`,`grounds`,`ground0`,`ground1`,`ground2`,`ground3`,`except`]},"links-number":{code:`struct Parameters{
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> tops: array<u32>;
@group(0)@binding(2)var<storage,read> marks: array<u32>;
@group(0)@binding(3)var<storage,read> ranks: array<u32>;
@group(0)@binding(4)var<storage,read> blocks: array<u32>;
@group(0)@binding(5)var<storage,read_write> parents: array<u32>;
`+P.ranks+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let word =(group.y * groups.x + group.x)* 256u + local;
if(word >= parameters.total){return;}
for(var rest = tops[word];rest != 0u;rest &= rest - 1u){
let node = word * 32u + countTrailingZeros(rest);
let root = parents[node];
parents[node] = rankOf(root >> 5u)+ countOneBits(marks[root >> 5u] &((2u <<(root & 31u))- 1u));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`tops`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read`},{name:`ranks`,binding:3,access:`read`},{name:`blocks`,binding:4,access:`read`},{name:`parents`,binding:5,access:`read_write`}],parameters:[`total`]},"links-seams":{code:`struct Parameters{
words: u32,
rows: u32,
total: u32,
horizontal: u32,
threads: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> links: array<u32>;
@group(0)@binding(2)var<storage,read_write> parents: array<atomic<u32>>;
override WIDE: bool = false;
const COLUMNS = 4u;
const ROWS = 16u;
`+P.links+P.find+P.union+`fn comesAfter(a: u32,b: u32)-> bool{
return a > b;
}
fn join(word: u32,bit: u32,other: u32,otherBit: u32){
unite(stretchOf(word,firstsAt(word),bit),stretchOf(other,firstsAt(other),otherBit));
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
if(thread >= parameters.threads){return;}
if(thread < parameters.horizontal){
joinAbove((thread / parameters.words + 1u)* ROWS * parameters.words + thread % parameters.words);
}else{
let rest = thread - parameters.horizontal;
joinLeft(rest % parameters.rows,(rest / parameters.rows + 1u)* COLUMNS);
}
}
fn joinAbove(word: u32){
let above = word - parameters.words;
let total = parameters.total;
let rows = rowsAt(word,links[total + word],parameters.words,2u);
for(var rest = straightLinks(rows);rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
join(word,bit,above,bit);
}
if(!WIDE){return;}
for(var rest = leftwardLinks(links[3u * total + word],rows);rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
if(bit == 0u){join(word,0u,above - 1u,31u);}else{join(word,bit,above,bit - 1u);}
}
for(var rest = rightwardLinks(links[4u * total + word],rows);rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
if(bit == 31u){join(word,31u,above + 1u,0u);}else{join(word,bit,above,bit + 1u);}
}
}
fn joinLeft(row: u32,column: u32){
let word = row * parameters.words + column;
if((links[parameters.total + word] & 1u)== 1u){join(word,0u,word - 1u,31u);}
if(!WIDE || row % ROWS == 0u){return;}
if((links[3u * parameters.total + word] & 1u)== 1u){join(word,0u,word - parameters.words - 1u,31u);}
if((links[4u * parameters.total + word - 1u] >> 31u)== 1u){join(word - 1u,31u,word - parameters.words,0u);}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`links`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read_write`}],parameters:[`words`,`rows`,`total`,`horizontal`,`threads`]},"links-slices":{code:`struct Parameters{
words: u32,
height: u32,
total: u32,
threads: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> links: array<u32>;
@group(0)@binding(2)var<storage,read_write> parents: array<atomic<u32>>;
override CONNECTIVITY: u32 = 6u;
`+P.links+P.find+P.union+`fn comesAfter(a: u32,b: u32)-> bool{
return a > b;
}
override BEHIND: u32 = 3u;
override OBLIQUE: u32 = 4u;
override OBLIQUE_PLANES: u32 = 1u;
fn plane(p: u32,word: u32)-> u32{
return links[p * parameters.total + word];
}
fn join(word: u32,firsts: u32,bit: u32,other: u32,otherBit: u32){
let a = stretchOf(word,firsts,bit);
let b = stretchOf(other,firstsAt(other),otherBit);
if(atomicLoad(&parents[a])!= atomicLoad(&parents[b])){unite(a,b);}
}
fn joinRow(word: u32,firsts: u32,left: u32,back: u32,p: u32,widened: bool,implied: u32){
let other = word - back;
let rows = rowsAt(word,left,back,p);
for(var rest = straightLinks(rows)& ~implied;rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
join(word,firsts,bit,other,bit);
}
if(!widened){return;}
for(var rest = leftwardLinks(plane(p + 1u,word),rows);rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
if(bit == 0u){join(word,firsts,0u,other - 1u,31u);}else{join(word,firsts,bit,other,bit - 1u);}
}
for(var rest = rightwardLinks(plane(p + 2u,word),rows);rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
if(bit == 31u){join(word,firsts,31u,other + 1u,0u);}else{join(word,firsts,bit,other,bit + 1u);}
}
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
if(thread >= parameters.threads){return;}
let slice = parameters.height * parameters.words;
let word = thread + slice;
let own = links[word];
if(own == 0u){return;}
let left = plane(1u,word);
let firsts = firstsOf(own,left);
let y = word / parameters.words % parameters.height;
joinRow(word,firsts,left,slice,BEHIND,CONNECTIVITY >= 18u,0u);
if(CONNECTIVITY < 18u){return;}
let behind = plane(BEHIND,word);
if(y > 0u){
let byU = plane(2u,word)& plane(BEHIND,word - parameters.words);
joinRow(word,firsts,left,slice + parameters.words,OBLIQUE,CONNECTIVITY == 26u,byU |(behind & plane(2u,word - slice)));
}
if(y + 1u < parameters.height){
let back = slice - parameters.words;
joinRow(word,firsts,left,back,OBLIQUE + OBLIQUE_PLANES,CONNECTIVITY == 26u,behind & plane(2u,word - back));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`links`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read_write`}],parameters:[`words`,`height`,`total`,`threads`]},"links-tiles":{code:`struct Parameters{
words: u32,
rows: u32,
total: u32,
tileColumns: u32,
tiles: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> links: array<u32>;
@group(0)@binding(2)var<storage,read_write> nodes: array<u32>;
@group(0)@binding(3)var<storage,read_write> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read_write> tops: array<u32>;
override WIDE: bool = false;
const COLUMNS = 4u;
const ROWS = 16u;
var<workgroup> parents: array<atomic<u32>,2048>;
var<workgroup> firsts: array<u32,64>;
var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
`+P.links+P.find+P.union+`fn comesAfter(a: u32,b: u32)-> bool{
return a > b;
}
fn at(thread: u32,bit: u32)-> u32{
return stretchOf(thread,firsts[thread],bit);
}
@compute @workgroup_size(64)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let tile = group.y * groups.x + group.x;
if(tile >= parameters.tiles){return;}
let column = tile % parameters.tileColumns * COLUMNS +(t & 3u);
let row = tile / parameters.tileColumns * ROWS +(t >> 2u);
let inside = column < parameters.words && row < parameters.rows;
let index = row * parameters.words + column;
var own = 0u;
var left = 0u;
if(inside){
own = links[index];
left = links[parameters.total + index];
}
let starts = firstsOf(own,left);
firsts[t] = starts;
let stretches = countOneBits(starts);
for(var k = 0u;k < stretches;k++){atomicStore(&parents[t * 32u + k],t * 32u + k);}
workgroupBarrier();
if((left & 1u)== 1u &&(t & 3u)!= 0u){unite(t * 32u,at(t - 1u,31u));}
if(inside && t >= COLUMNS){
let rows = rowsAt(index,left,parameters.words,2u);
for(var rest = straightLinks(rows);rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
unite(at(t,bit),at(t - COLUMNS,bit));
}
if(WIDE){
let leftmost = select(0u,1u,(t & 3u)== 0u);
let rightmost = select(0u,0x80000000u,(t & 3u)== 3u);
for(var rest = leftwardLinks(links[3u * parameters.total + index],rows)& ~leftmost;rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
if(bit == 0u){unite(at(t,0u),at(t - COLUMNS - 1u,31u));}else{unite(at(t,bit),at(t - COLUMNS,bit - 1u));}
}
for(var rest = rightwardLinks(links[4u * parameters.total + index],rows)& ~rightmost;rest != 0u;rest &= rest - 1u){
let bit = countTrailingZeros(rest);
if(bit == 31u){unite(at(t,31u),at(t - COLUMNS + 1u,0u));}else{unite(at(t,bit),at(t - COLUMNS,bit + 1u));}
}
}
}
if(inside){
atomicAdd(&pixels,countOneBits(own));
atomicAdd(&runs,countOneBits(own & ~left));
}
workgroupBarrier();
var topmost = 0u;
for(var k = 0u;k < stretches;k++){
let root = find(t * 32u + k);
if(root == t * 32u + k){topmost |= 1u << k;}
let owner = root >> 5u;
let to = index -(t >> 2u)* parameters.words +(owner >> 2u)* parameters.words +(owner & 3u)-(t & 3u);
nodes[index * 32u + k] = to * 32u +(root & 31u);
}
if(inside){tops[index] = topmost;}
if(t == 0u){tileTable[tile] = vec4u(0u,0u,atomicLoad(&pixels),atomicLoad(&runs));}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`links`,binding:1,access:`read`},{name:`nodes`,binding:2,access:`read_write`},{name:`tileTable`,binding:3,access:`read_write`},{name:`tops`,binding:4,access:`read_write`}],parameters:[`words`,`rows`,`total`,`tileColumns`,`tiles`]},"links-values":{code:`struct Parameters{
width: u32,
words: u32,
total: u32,
first: u32,
room: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read> marks: array<u32>;
@group(0)@binding(3)var<storage,read> ranks: array<u32>;
@group(0)@binding(4)var<storage,read> blocks: array<u32>;
@group(0)@binding(5)var<storage,read> links: array<u32>;
@group(0)@binding(6)var<storage,read_write> values: array<u32>;
`+P.links+P.pixels+P.values+P.ranks+`override CHANNELS: u32 = 1u;
const COUNTERS = 8u;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let word =(group.y * groups.x + group.x)* 256u + local;
if(word >= parameters.total || marks[word] == 0u){return;}
var object = rankOf(word);
let row = word / parameters.words;
let x =(word % parameters.words)* 32u;
var mark = marks[word];
for(var rest = firstsAt(word);mark != 0u && object < parameters.room;rest &= rest - 1u){
if((mark & 1u)== 1u){
let at = parameters.first +(row * parameters.width + x + countTrailingZeros(rest))* CHANNELS;
for(var c = 0u;c < CHANNELS;c++){values[COUNTERS + object * CHANNELS + c] = valueAt(at + c);}
object++;
}
mark >>= 1u;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read`},{name:`ranks`,binding:3,access:`read`},{name:`blocks`,binding:4,access:`read`},{name:`links`,binding:5,access:`read`},{name:`values`,binding:6,access:`read_write`}],parameters:[`width`,`words`,`total`,`first`,`room`]},"mask-combine":{code:`struct Parameters{
words: u32,
total: u32,
tail: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> bits2: array<u32>;
@group(0)@binding(3)var<storage,read_write> result: array<u32>;
override NEITHER: bool = false;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
var word = bits[index] | bits2[index];
if(NEITHER){
word = ~word;
if(index % parameters.words == parameters.words - 1u){word &= parameters.tail;}
}
result[index] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`bits2`,binding:2,access:`read`},{name:`result`,binding:3,access:`read_write`}],parameters:[`words`,`total`,`tail`]},"mask-pack-bytes":{code:`struct Parameters{
width: u32,
words: u32,
rows: u32,
first: u32,
row: u32,
lo: u32,
hi: u32,
invert: u32,
lo2: u32,
hi2: u32,
invert2: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<vec4u>;
@group(0)@binding(2)var<storage,read_write> bits: array<u32>;
@group(0)@binding(3)var<storage,read_write> bits2: array<u32>;
`+P.nibble+`override CLASSES: u32 = 1u;
var<workgroup> halves: array<vec2u,256>;
fn half(v: vec4u,lo: vec4u,span: vec4u)-> u32{
return nibble(v.x,lo,span)|(nibble(v.y,lo,span)<< 4u)
|(nibble(v.z,lo,span)<< 8u)|(nibble(v.w,lo,span)<< 12u);
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let total = parameters.rows * parameters.words;
let vector = block * 256u + t;
if(vector < total * 2u){
let v = pixels[parameters.first / 16u + vector];
halves[t].x = half(v,vec4u(parameters.lo),vec4u(parameters.hi - parameters.lo));
if(CLASSES == 2u){halves[t].y = half(v,vec4u(parameters.lo2),vec4u(parameters.hi2 - parameters.lo2));}
}
workgroupBarrier();
let word = block * 128u + t;
if(t < 128u && word < total){
let both = halves[2u * t] |(halves[2u * t + 1u] << vec2u(16u));
let at = parameters.row * parameters.words + word;
bits[at] = both.x ^ parameters.invert;
if(CLASSES == 2u){bits2[at] = both.y ^ parameters.invert2;}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`bits`,binding:2,access:`read_write`},{name:`bits2`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`rows`,`first`,`row`,`lo`,`hi`,`invert`,`lo2`,`hi2`,`invert2`]},"mask-pack":{code:`struct Parameters{
width: u32,
words: u32,
rows: u32,
first: u32,
row: u32,
lo: u32,
hi: u32,
invert: u32,
lo2: u32,
hi2: u32,
invert2: u32,
excepting: u32,
except: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> bits: array<u32>;
@group(0)@binding(3)var<storage,read_write> bits2: array<u32>;
`+P[`float-keys`]+P.pixels+`override TYPE: u32 = 0u;
override CLASSES: u32 = 1u;
fn value(at: u32)-> u32{
if(TYPE == 0u){return byteAt(at);}
if(TYPE == 3u){return key(pixels[at]);}
let v = shortAt(at);
return select(v,v ^ 0x8000u,TYPE == 2u);
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + local;
let row = thread / parameters.words;
if(row >= parameters.rows){return;}
let column = thread % parameters.words;
let first = parameters.first + row * parameters.width + column * 32u;
let count = min(32u,parameters.width - column * 32u);
var word = 0u;
var word2 = 0u;
var nan = 0u;
for(var i = 0u;i < count;i++){
let v = value(first + i);
if(TYPE == 3u &&(v > POSITIVE_INFINITY || v < NEGATIVE_INFINITY)){nan |= 1u << i;}
if(parameters.excepting == 1u && v == parameters.except){nan |= 1u << i;}
if(v - parameters.lo <= parameters.hi - parameters.lo){word |= 1u << i;}
if(CLASSES == 2u && v - parameters.lo2 <= parameters.hi2 - parameters.lo2){word2 |= 1u << i;}
}
let tail = 0xffffffffu >>(32u - count);
let at =(parameters.row + row)* parameters.words + column;
bits[at] =(word ^ parameters.invert)& ~nan & tail;
if(CLASSES == 2u){bits2[at] =(word2 ^ parameters.invert2)& ~nan & tail;}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`bits`,binding:2,access:`read_write`},{name:`bits2`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`rows`,`first`,`row`,`lo`,`hi`,`invert`,`lo2`,`hi2`,`invert2`,`excepting`,`except`]},"mask-surface":{code:`struct Parameters{
width: u32,
words: u32,
total: u32,
row: u32,
first: u32,
height: u32,
depth: u32,
border: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> bits2: array<u32>;
@group(0)@binding(3)var<storage,read_write> surface: array<u32>;
fn either(at: u32)-> u32{
return bits[at] | bits2[at];
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let row = parameters.row + index / parameters.words;
let column = index % parameters.words;
let y = row % parameters.height;
let z = row / parameters.height;
let at = index + parameters.first;
let c = either(at);
let outside = select(0xffffffffu,0u,parameters.border == 1u);
var before = outside & 1u;
var after = outside & 1u;
if(column > 0u){before = either(at - 1u)>> 31u;}
if(column + 1u < parameters.words){after = either(at + 1u)& 1u;}
var right =(c >> 1u)|(after << 31u);
let tail = parameters.width & 31u;
if(column + 1u == parameters.words && tail != 0u){right |=(outside & 1u)<<(tail - 1u);}
var all =((c << 1u)| before)& right;
all &= select(outside,either(at - parameters.words),y > 0u);
all &= select(outside,either(at + parameters.words),y + 1u < parameters.height);
if(parameters.depth > 1u){
let slice = parameters.words * parameters.height;
if(z > 0u){all &= either(at - slice);}else{all &= outside;}
if(z + 1u < parameters.depth){all &= either(at + slice);}else{all &= outside;}
}
surface[index] = c & ~all;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`bits2`,binding:2,access:`read`},{name:`surface`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`total`,`row`,`first`,`height`,`depth`,`border`]},"mask-window":{code:`struct Parameters{
width: u32,
words: u32,
total: u32,
height: u32,
left: u32,
up: u32,
front: u32,
sourceWidth: u32,
sourceWords: u32,
sourceHeight: u32,
sourceDepth: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> bits2: array<u32>;
@group(0)@binding(3)var<storage,read_write> result: array<u32>;
override EXTEND: bool = false;
fn either(at: u32)-> u32{
return bits[at] | bits2[at];
}
fn every(bit: u32)-> u32{
return 0u -(bit & 1u);
}
fn wordOf(index: u32)-> u32{
let line = index / parameters.words;
let column = i32(index % parameters.words)- bitcast<i32>(parameters.left);
var y = i32(line % parameters.height)- bitcast<i32>(parameters.up);
var z = i32(line / parameters.height)- bitcast<i32>(parameters.front);
let lastY = i32(parameters.sourceHeight)- 1;
let lastZ = i32(parameters.sourceDepth)- 1;
let words = i32(parameters.sourceWords);
if(!EXTEND &&(y < 0 || y > lastY || z < 0 || z > lastZ || column < 0 || column >= words)){return 0u;}
y = clamp(y,0,lastY);
z = clamp(z,0,lastZ);
let row =(u32(z)* parameters.sourceHeight + u32(y)+ 1u)* parameters.sourceWords;
if(column < 0){return every(either(row));}
let last = parameters.sourceWidth - 1u;
let tail = parameters.sourceWidth & 31u;
if(column >= words){return every(either(row +(last >> 5u))>>(last & 31u));}
let word = either(row + u32(column));
if(!EXTEND || column + 1 < words || tail == 0u){return word;}
return word |(every(word >>(last & 31u))& ~((1u << tail)- 1u));
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
var word = wordOf(index);
let tail = parameters.width & 31u;
if(index % parameters.words + 1u == parameters.words && tail != 0u){word &=(1u << tail)- 1u;}
result[index + parameters.words] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`bits2`,binding:2,access:`read`},{name:`result`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`total`,`height`,`left`,`up`,`front`,`sourceWidth`,`sourceWords`,`sourceHeight`,`sourceDepth`]},"morphology-near":{code:`struct Parameters{
width: u32,
words: u32,
total: u32,
height: u32,
depth: u32,
rows: u32,
last: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> ball: array<vec4i>;
@group(0)@binding(3)var<storage,read_write> result: array<u32>;
override INVERT: bool = false;
override OUTSIDE: bool = false;
fn around(row: u32,column: u32)-> vec3u{
let beyond = select(0u,0xffffffffu,OUTSIDE);
var found = vec3u(beyond,bits[row + column],beyond);
let isLast = column + 1u == parameters.words;
if(column > 0u){found.x = bits[row + column - 1u];}
if(!isLast){found.z = bits[row + column + 1u];}
if(INVERT){
found.y = ~found.y;
if(column > 0u){found.x = ~found.x;}
if(!isLast){found.z = ~found.z;}
let tail = parameters.width & 31u;
if(tail != 0u){
let mask =(1u << tail)- 1u;
let edge = select(0u,0xffffffffu,OUTSIDE)& ~mask;
if(isLast){found.y =(found.y & mask)| edge;}
if(column + 2u == parameters.words){found.z =(found.z & mask)| edge;}
}
}
return found;
}
fn spread(given: vec3u,reach: u32)-> vec3u{
var word = given;
var done = 0u;
while(done < reach){
let s = min(2u * done + 1u,reach - done);
let t = 32u - s;
word |= vec3u(word.x << s,(word.y << s)|(word.x >> t),(word.z << s)|(word.y >> t))|
vec3u((word.x >> s)|(word.y << t),(word.y >> s)|(word.z << t),word.z >> s);
done += s;
}
return word;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let line = index / parameters.words;
let column = index % parameters.words;
let y = i32(line % parameters.height);
let z = i32(line / parameters.height);
var word = vec3u(0u);
for(var i = 0u;i < parameters.rows;i++){
let row = ball[i];
word = spread(word,u32(row.z));
let ry = y + row.x;
let rz = z + row.y;
if(ry >= 0 && ry < i32(parameters.height)&& rz >= 0 && rz < i32(parameters.depth)){
word |= around((u32(rz)* parameters.height + u32(ry)+ 1u)* parameters.words,column);
}else if(OUTSIDE){
word = vec3u(0xffffffffu);
}
}
var found = spread(word,parameters.last).y;
if(INVERT){found = ~found;}
let tail = parameters.width & 31u;
if(column + 1u == parameters.words && tail != 0u){found &=(1u << tail)- 1u;}
result[index + parameters.words] = found;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`ball`,binding:2,access:`read`},{name:`result`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`total`,`height`,`depth`,`rows`,`last`]},reference:{code:`struct Parameters{
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> source: array<u32>;
@group(0)@binding(2)var<storage,read_write> target_: array<vec4u>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let i =(group.y * groups.x + group.x)* 256u + local;
if(i < parameters.total){target_[i] = unpack4xU8(source[i]);}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`source`,binding:1,access:`read`},{name:`target_`,binding:2,access:`read_write`}],parameters:[`total`]},"regions-2d":{code:`struct Parameters{
words: u32,
height: u32,
tileColumns: u32,
tiles: u32,
row: u32,
begin: u32,
count: u32,
}
`+P[`tile-bindings`]+P.cells+P[`label-table`]+P.positions+P[`plane-sums`]+P.records+P.sum64+`const TILES = 4u;
const RECORD = 9u;
const SLOTS = 256u;
const LISTED = 256u;
var<workgroup> slots: array<u32,1024>;
fn flush(label: u32,x: u32,y: u32,s: PlaneSums){
let object = label - 1u - parameters.begin;
if(object >= parameters.count){return;}
let at = object * RECORD;
atomicAdd(&records[at],s.n);
grow(at + 1u,~(x + s.x0));
grow(at + 2u,~(y + s.y0));
grow(at + 3u,x + s.x1);
grow(at + 4u,y + s.y1);
add64(at + 5u,plus64(vec2u(s.x,0u),multiply(s.n,x)));
add64(at + 7u,plus64(vec2u(s.y,0u),multiply(s.n,y)));
}
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let across =(parameters.tileColumns + TILES - 1u)/ TILES;
let block = group.y * groups.x + group.x;
let tileLine = block / across;
let firstColumn =(block % across)* TILES;
if(tileLine * parameters.tileColumns >= parameters.tiles){return;}
for(var i = t;i < SLOTS;i += 128u){
atomicStore(&x0[i],NOWHERE);
atomicStore(&y0[i],NOWHERE);
}
let tileColumn = firstColumn +(t & 3u);
let line = t >> 2u;
var info = vec4u();
if(tileColumn < parameters.tileColumns){info = tileTable[tileLine * parameters.tileColumns + tileColumn];}
for(var i = line;i < min(info.y,LISTED);i += 32u){
slots[(t & 3u)* LISTED + i] = slotOf(map[info.x + i]);
}
workgroupBarrier();
let x = firstColumn * COLUMNS * 32u;
let row =(tileLine * ROWS + line)* CELL;
let y = parameters.row + tileLine * ROWS * CELL;
if(info.y != 0u && row < parameters.height){
var slot = NOWHERE;
var s = noPlaneSums();
for(var i = 0u;i < COLUMNS;i++){
let column = tileColumn * COLUMNS + i;
if(column >= parameters.words){break;}
let index =(row + 1u)* parameters.words + column;
let top = bits[index];
var bottom = 0u;
if(CELL == 2u && row + 1u < parameters.height){bottom = bits[index + parameters.words];}
var rest = top | bottom;
var taken = 0u;
let cellX =((t & 3u)* COLUMNS + i)* 32u;
let segment = segmentsAt(column,row);
var pair = 0u;
for(var k = 0u;rest != 0u;k++){
let ones = lowestSegment(rest);
rest &= ~ones;
if((k & 1u)== 0u){pair = segments[segment +(k >> 1u)];}else{pair >>= 16u;}
let id = pair & 0xffffu;
var own = NOWHERE;
if(id < LISTED){own = slots[(t & 3u)* LISTED + id];}
if(own == NOWHERE){
flush(map[info.x + id],x,y,plusCell(noPlaneSums(),top & ones,bottom & ones,cellX,line * CELL));
continue;
}
if(own != slot){
if(taken != 0u){s = plusCell(s,top & taken,bottom & taken,cellX,line * CELL);}
if(s.n != 0u){addPlaneSums(slot,s);}
slot = own;
s = noPlaneSums();
taken = 0u;
}
taken |= ones;
}
if(taken != 0u){s = plusCell(s,top & taken,bottom & taken,cellX,line * CELL);}
}
if(s.n != 0u){addPlaneSums(slot,s);}
}
workgroupBarrier();
for(var i = t;i < SLOTS;i += 128u){
let n = atomicLoad(&areas[i]);
if(n == 0u){continue;}
flush(atomicLoad(&keys[i]),x,y,planeSumsOf(i,n));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`records`,binding:5,access:`read_write`}],parameters:[`words`,`height`,`tileColumns`,`tiles`,`row`,`begin`,`count`]},"regions-3d":{code:`struct Parameters{
words: u32,
height: u32,
tileColumns: u32,
tiles: u32,
row: u32,
slice: u32,
begin: u32,
count: u32,
}
`+P[`tile-bindings`]+P.cells+P[`label-table`]+P.positions+P[`plane-sums`]+P.records+P.sum64+`const TILES = 4u;
const RECORD = 13u;
const SLOTS = 255u;
const LISTED = 1024u;
const NO_SLOT = 255u;
var<workgroup> slots: array<u32,1024>;
var<workgroup> sumsZ: array<atomic<u32>,256>;
var<workgroup> z0: array<atomic<u32>,256>;
var<workgroup> z1: array<atomic<u32>,256>;
struct Sums{
plane: PlaneSums,
z: u32,
z0: u32,
z1: u32,
}
fn flush(label: u32,x: u32,sums: Sums,small: bool){
let s = sums.plane;
let object = label - 1u - parameters.begin;
if(object >= parameters.count){return;}
let at = object * RECORD;
atomicAdd(&records[at],s.n);
if(small){
atomicMax(&records[at + 1u],~(x + s.x0));
atomicMax(&records[at + 2u],~s.y0);
atomicMax(&records[at + 3u],~sums.z0);
atomicMax(&records[at + 4u],x + s.x1);
atomicMax(&records[at + 5u],s.y1);
atomicMax(&records[at + 6u],sums.z1);
}else{
grow(at + 1u,~(x + s.x0));
grow(at + 2u,~s.y0);
grow(at + 3u,~sums.z0);
grow(at + 4u,x + s.x1);
grow(at + 5u,s.y1);
grow(at + 6u,sums.z1);
}
add64(at + 7u,plus64(vec2u(s.x,0u),multiply(s.n,x)));
add64(at + 9u,vec2u(s.y,0u));
add64(at + 11u,vec2u(sums.z,0u));
}
fn plus(s: Sums,top: u32,bottom: u32,x: u32,y: u32,z: u32)-> Sums{
return Sums(
plusCell(s.plane,top,bottom,x,y),s.z +(countOneBits(top)+ countOneBits(bottom))* z,min(s.z0,z),max(s.z1,z + 1u),
);
}
fn none()-> Sums{
return Sums(noPlaneSums(),0u,NOWHERE,0u);
}
fn add(slot: u32,s: Sums){
addPlaneSums(slot,s.plane);
atomicAdd(&sumsZ[slot],s.z);
if(atomicLoad(&z0[slot])> s.z0){atomicMin(&z0[slot],s.z0);}
if(atomicLoad(&z1[slot])< s.z1){atomicMax(&z1[slot],s.z1);}
}
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let across =(parameters.tileColumns + TILES - 1u)/ TILES;
let block = group.y * groups.x + group.x;
let tileLine = block / across;
let firstColumn =(block % across)* TILES;
if(tileLine * parameters.tileColumns >= parameters.tiles){return;}
for(var i = t;i < SLOTS;i += 128u){
atomicStore(&x0[i],NOWHERE);
atomicStore(&y0[i],NOWHERE);
atomicStore(&z0[i],NOWHERE);
}
let tileColumn = firstColumn +(t & 3u);
let line = t >> 2u;
var info = vec4u();
if(tileColumn < parameters.tileColumns){info = tileTable[tileLine * parameters.tileColumns + tileColumn];}
for(var i = line * 4u;i < min(info.y,LISTED);i += 128u){
var four = 0u;
for(var k = 0u;k < min(4u,info.y - i);k++){
four |= min(slotOf(map[info.x + i + k]),NO_SLOT)<<(k * 8u);
}
slots[((t & 3u)* LISTED + i)/ 4u] = four;
}
workgroupBarrier();
let x = firstColumn * COLUMNS * 32u;
let row =(tileLine * ROWS + line)* CELL;
let absolute = parameters.row + row;
let y = absolute % parameters.slice;
let z = absolute / parameters.slice;
if(info.y != 0u && row < parameters.height){
var slot = NOWHERE;
var s = none();
for(var i = 0u;i < COLUMNS;i++){
let column = tileColumn * COLUMNS + i;
if(column >= parameters.words){break;}
let index =(row + 1u)* parameters.words + column;
let top = bits[index];
var bottom = 0u;
if(CELL == 2u && row + 1u < parameters.height){bottom = bits[index + parameters.words];}
var rest = top | bottom;
var taken = 0u;
let cellX =((t & 3u)* COLUMNS + i)* 32u;
let segment = segmentsAt(column,row);
var pair = 0u;
for(var k = 0u;rest != 0u;k++){
let ones = lowestSegment(rest);
rest &= ~ones;
if((k & 1u)== 0u){pair = segments[segment +(k >> 1u)];}else{pair >>= 16u;}
let id = pair & 0xffffu;
var own = NOWHERE;
if(id < LISTED){own =(slots[((t & 3u)* LISTED + id)/ 4u] >>((id & 3u)* 8u))& 0xffu;}
if(own == NO_SLOT){own = NOWHERE;}
if(own == NOWHERE){
flush(map[info.x + id],x,plus(none(),top & ones,bottom & ones,cellX,y,z),true);
continue;
}
if(own != slot){
if(taken != 0u){s = plus(s,top & taken,bottom & taken,cellX,y,z);}
if(s.plane.n != 0u){add(slot,s);}
slot = own;
s = none();
taken = 0u;
}
taken |= ones;
}
if(taken != 0u){s = plus(s,top & taken,bottom & taken,cellX,y,z);}
}
if(s.plane.n != 0u){add(slot,s);}
}
workgroupBarrier();
for(var i = t;i < SLOTS;i += 128u){
let n = atomicLoad(&areas[i]);
if(n == 0u){continue;}
let sums = Sums(planeSumsOf(i,n),atomicLoad(&sumsZ[i]),atomicLoad(&z0[i]),atomicLoad(&z1[i]));
flush(atomicLoad(&keys[i]),x,sums,false);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`records`,binding:5,access:`read_write`}],parameters:[`words`,`height`,`tileColumns`,`tiles`,`row`,`slice`,`begin`,`count`]},"regions-columns":{code:`struct Parameters{
count: u32,
axes: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> records: array<u32>;
@group(0)@binding(2)var<storage,read_write> columns: array<u32>;
fn quotient(sum: vec2u,area: u32)-> vec2u{
if(sum.x == 0u && sum.y == 0u){return vec2u();}
var rest = 0u;
var found = vec2u();
var bits = 0u;
var exponent = 0;
let top = select(i32(firstLeadingBit(sum.x)),32 + i32(firstLeadingBit(sum.y)),sum.y != 0u);
for(var place = top;bits < 54u;place--){
var next = 0u;
if(place >= 32){next =(sum.y >> u32(place - 32))& 1u;}else if(place >= 0){next =(sum.x >> u32(place))& 1u;}
let over =(rest >> 31u)!= 0u;
rest =(rest << 1u)| next;
let one = over || rest >= area;
if(one){rest -= area;}
if(bits == 0u){
if(!one){continue;}
exponent = place;
}
found = vec2u((found.x << 1u)| select(0u,1u,one),(found.y << 1u)|(found.x >> 31u));
bits++;
}
let half =(found.x & 1u)!= 0u;
found = vec2u((found.x >> 1u)|(found.y << 31u),found.y >> 1u);
if(half &&(rest != 0u ||(found.x & 1u)!= 0u)){
found.x++;
if(found.x == 0u){found.y++;}
}
return vec2u(found.x,found.y +(u32(exponent + 1022)<< 20u));
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let i =(group.y * groups.x + group.x)* 256u + t;
if(i >= parameters.count){return;}
let axes = parameters.axes;
let at = i *(1u + 4u * axes);
let area = records[at];
columns[i] = area;
let box = parameters.count + i * 2u * axes;
let pairs = parameters.count *(1u + 2u * axes);
let centroid = pairs +(pairs & 1u)+ i * 2u * axes;
for(var axis = 0u;axis < axes;axis++){
columns[box + axis] = ~records[at + 1u + axis];
columns[box + axes + axis] = records[at + 1u + axes + axis];
let sum = at + 1u + 2u * axes + 2u * axis;
let mean = quotient(vec2u(records[sum],records[sum + 1u]),area);
columns[centroid + 2u * axis] = mean.x;
columns[centroid + 2u * axis + 1u] = mean.y;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`records`,binding:1,access:`read`},{name:`columns`,binding:2,access:`read_write`}],parameters:[`count`,`axes`]},"regions-intensity":{code:`struct Parameters{
width: u32,
words: u32,
height: u32,
tileColumns: u32,
firstTile: u32,
tiles: u32,
row: u32,
imageHeight: u32,
first: u32,
begin: u32,
count: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> bits2: array<u32>;
@group(0)@binding(3)var<storage,read> segments: array<u32>;
@group(0)@binding(4)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(5)var<storage,read> map: array<u32>;
@group(0)@binding(6)var<storage,read> pixels: array<u32>;
@group(0)@binding(7)var<storage,read_write> records: array<atomic<u32>>;
override TYPE: u32 = 0u;
override CONTRAST: bool = false;
`+P.cells+P[`label-table`]+P.pixels+P.sum64+`const RECORD = 14u;
const SLOTS = 128u;
const LISTED = 256u;
var<workgroup> keys: array<atomic<u32>,128>;
var<workgroup> slots: array<u32,256>;
var<workgroup> partial: array<atomic<u32>,1792>;
fn value(x: u32,y: u32)-> i32{
let at = parameters.first + y * parameters.width + x;
if(TYPE == 0u){return i32(byteAt(at));}
let v = shortAt(at);
return select(i32(v),signed16(v),TYPE == 2u);
}
fn scale(a: i32,b: u32)-> vec2u{
let product = multiply(u32(abs(a)),b);
if(a >= 0){return product;}
return plus64(~product,vec2u(1u,0u));
}
struct Sums{
n: u32,
least: i32,
most: i32,
sum: i32,
squares: vec2u,
x: i32,
edgeSum: i32,
edges: u32,
}
fn none()-> Sums{
return Sums(0u,65536,-65536,0,vec2u(),0,0,0u);
}
fn addTo(place: u32,value: vec2u,far: bool){
var before: u32;
if(far){before = atomicAdd(&records[place],value.x);}else{before = atomicAdd(&partial[place],value.x);}
let high = upperOf(before,value);
if(high == 0u){return;}
if(far){atomicAdd(&records[place + 1u],high);}else{atomicAdd(&partial[place + 1u],high);}
}
fn add(base: u32,id: u32,slot: u32,x: u32,y: u32,s: Sums){
if(s.n == 0u){return;}
let far = slot == NOWHERE;
var at = slot * RECORD;
if(far){
let object = map[base + id] - 1u - parameters.begin;
if(object >= parameters.count){return;}
at = object * RECORD;
atomicMax(&records[at],~u32(s.least + 32768));
atomicMax(&records[at + 1u],u32(s.most + 32768));
}else{
atomicMax(&partial[at],~u32(s.least + 32768));
atomicMax(&partial[at + 1u],u32(s.most + 32768));
}
addTo(at + 2u,widen(s.sum),far);
addTo(at + 4u,s.squares,far);
addTo(at + 6u,plus64(scale(s.sum,x),widen(s.x)),far);
addTo(at + 8u,scale(s.sum,y),far);
if(CONTRAST){
addTo(at + 10u,widen(s.edgeSum),far);
addTo(at + 12u,vec2u(s.edges,0u),far);
}
}
fn open(at: u32)-> u32{
return ~(bits[at] | bits2[at]);
}
fn addWord(base: u32,x: u32,column: u32,row: u32,inTile: u32,bandRow: u32){
let index = row * parameters.words + column;
let at = index + parameters.words;
var rest = bits[at];
let segmentStarts = startsOf(cellOf(rest,column,row));
let segment = segmentsAt(column,row);
let y = parameters.row + row;
let inBand = row - bandRow;
var id = NOWHERE;
var slot = NOWHERE;
var s = none();
while(rest != 0u){
let begin = countTrailingZeros(rest);
let length = countTrailingZeros(~(rest >> begin));
let end = begin + length;
let ones =(0xffffffffu >>(32u - length))<< begin;
rest &= ~ones;
let other = componentAt(segment,segmentOf(segmentStarts,begin));
if(other != id){
var own = NOWHERE;
if(other < LISTED){own = slots[other];}
if(own != slot || own == NOWHERE){
add(base,id,slot,x,y,s);
s = none();
}
id = other;
slot = own;
}
s.n += length;
for(var i = begin;i < end;i++){
let v = value(column * 32u + i,inBand);
s.least = min(s.least,v);
s.most = max(s.most,v);
s.sum += v;
s.squares = plus64(s.squares,vec2u(u32(v * v),0u));
s.x += v * i32(inTile * 32u + i);
}
if(CONTRAST){
let left = column * 32u + begin;
let right = column * 32u + end;
if(left > 0u){
var outside = open(at);
if(begin == 0u){outside = open(at - 1u);}
if(((outside >>((begin - 1u)& 31u))& 1u)== 1u){
s.edgeSum += value(left - 1u,inBand);
s.edges++;
}
}
if(right < parameters.width){
var outside = open(at);
if(end == 32u){outside = open(at + 1u);}
if(((outside >>(end & 31u))& 1u)== 1u){
s.edgeSum += value(right,inBand);
s.edges++;
}
}
if(y > 0u){
for(var o = open(index)& ones;o != 0u;o &= o - 1u){
s.edgeSum += value(column * 32u + countTrailingZeros(o),inBand - 1u);
s.edges++;
}
}
if(y + 1u < parameters.imageHeight){
for(var o = open(at + parameters.words)& ones;o != 0u;o &= o - 1u){
s.edgeSum += value(column * 32u + countTrailingZeros(o),inBand + 1u);
s.edges++;
}
}
}
}
add(base,id,slot,x,y,s);
}
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let inBand = group.y * groups.x + group.x;
if(inBand >= parameters.tiles){return;}
let tile = parameters.firstTile + inBand;
let info = tileTable[tile];
if(info.y == 0u){return;}
for(var i = t;i < min(info.y,LISTED);i += 128u){slots[i] = slotOf(map[info.x + i]);}
workgroupBarrier();
let tileColumn =(tile % parameters.tileColumns)* COLUMNS;
let tileRow =(tile / parameters.tileColumns)* ROWS * CELL;
let bandRow =(parameters.firstTile / parameters.tileColumns)* ROWS * CELL;
let column = tileColumn +(t & 3u);
for(var i = 0u;i < CELL;i++){
let row = tileRow +(t >> 2u)* CELL + i;
if(column < parameters.words && row < parameters.height){
addWord(info.x,tileColumn * 32u,column,row,t & 3u,bandRow);
}
}
workgroupBarrier();
let label = atomicLoad(&keys[t]);
let object = label - 1u - parameters.begin;
let source = t * RECORD;
if(label == 0u || object >= parameters.count || atomicLoad(&partial[source])== 0u){return;}
let at = object * RECORD;
atomicMax(&records[at],atomicLoad(&partial[source]));
atomicMax(&records[at + 1u],atomicLoad(&partial[source + 1u]));
for(var field = 2u;field < RECORD;field += 2u){
addTo(at + field,vec2u(atomicLoad(&partial[source + field]),atomicLoad(&partial[source + field + 1u])),true);
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`bits2`,binding:2,access:`read`},{name:`segments`,binding:3,access:`read`},{name:`tileTable`,binding:4,access:`read`},{name:`map`,binding:5,access:`read`},{name:`pixels`,binding:6,access:`read`},{name:`records`,binding:7,access:`read_write`}],parameters:[`width`,`words`,`height`,`tileColumns`,`firstTile`,`tiles`,`row`,`imageHeight`,`first`,`begin`,`count`]},"regions-labels":{code:`struct Parameters{
width: u32,
height: u32,
depth: u32,
columns: u32,
lines: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> labels: array<u32>;
@group(0)@binding(2)var<storage,read_write> records: array<atomic<u32>>;
`+P[`label-table`]+P.positions+P[`plane-sums`]+P.records+P.sum64+`override SOLID: bool = false;
const SLOTS = 256u;
const ROWS = 64u;
fn flush(label: u32,x: u32,y: u32,z: u32,s: PlaneSums){
let sumX = plus64(vec2u(s.x,0u),multiply(s.n,x));
let sumY = plus64(vec2u(s.y,0u),multiply(s.n,y));
let axes = select(2u,3u,SOLID);
let at =(label - 1u)*(1u + 4u * axes);
atomicAdd(&records[at],s.n);
grow(at + 1u,~(x + s.x0));
grow(at + 2u,~(y + s.y0));
grow(at + 1u + axes,x + s.x1);
grow(at + 2u + axes,y + s.y1);
let sums = at + 1u + 2u * axes;
add64(sums,sumX);
add64(sums + 2u,sumY);
if(SOLID){
grow(at + 3u,~z);
grow(at + 6u,z + 1u);
add64(sums + 4u,multiply(s.n,z));
}
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let z = block /(parameters.columns * parameters.lines);
if(z >= parameters.depth){return;}
let x = block % parameters.columns * 256u;
let y = block / parameters.columns % parameters.lines * ROWS;
atomicStore(&x0[t],NOWHERE);
atomicStore(&y0[t],NOWHERE);
workgroupBarrier();
if(x + t < parameters.width){
var label = 0u;
var s = noPlaneSums();
let rows = min(ROWS,parameters.height - y);
for(var i = 0u;i <= rows;i++){
var next = 0u;
if(i < rows){next = labels[(z * parameters.height + y + i)* parameters.width + x + t];}
if(next != label){
if(label != 0u){
s.x = s.n * t;
s.x0 = t;
s.x1 = t + 1u;
s.y1 = i;
let slot = slotOf(label);
if(slot == NOWHERE){flush(label,x,y,z,s);}else{addPlaneSums(slot,s);}
}
label = next;
s = noPlaneSums();
s.y0 = i;
}
s.n++;
s.y += i;
}
}
workgroupBarrier();
let n = atomicLoad(&areas[t]);
if(n != 0u){flush(atomicLoad(&keys[t]),x,y,z,planeSumsOf(t,n));}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`labels`,binding:1,access:`read`},{name:`records`,binding:2,access:`read_write`}],parameters:[`width`,`height`,`depth`,`columns`,`lines`]},"regions-shape":{code:`struct Parameters{
words: u32,
height: u32,
tileColumns: u32,
tiles: u32,
row: u32,
begin: u32,
count: u32,
}
`+P[`tile-bindings`]+P.cells+P[`label-table`]+P.meetings+P.records+P.sum64+`const RECORD = 10u;
const SLOTS = 128u;
const LISTED = 256u;
var<workgroup> keys: array<atomic<u32>,128>;
var<workgroup> slots: array<u32,256>;
var<workgroup> areas: array<atomic<u32>,128>;
var<workgroup> sumsX: array<atomic<u32>,128>;
var<workgroup> sumsY: array<atomic<u32>,128>;
var<workgroup> sumsXX: array<atomic<u32>,128>;
var<workgroup> sumsXY: array<atomic<u32>,128>;
var<workgroup> sumsYY: array<atomic<u32>,128>;
var<workgroup> edges: array<atomic<u32>,128>;
var<workgroup> eulers: array<atomic<i32>,128>;
struct Sums{
n: u32,
x: u32,
y: u32,
xx: u32,
xy: u32,
yy: u32,
edges: u32,
euler: i32,
}
fn times(a: vec2u,b: u32)-> vec2u{
let low = multiply(a.x,b);
return vec2u(low.x,low.y + a.y * b);
}
fn flush(label: u32,x: u32,y: u32,s: Sums){
let object = label - 1u - parameters.begin;
if(object >= parameters.count){return;}
let at = object * RECORD;
let nx = multiply(s.n,x);
add64(at,plus64(plus64(times(nx,x),multiply(2u * s.x,x)),vec2u(s.xx,0u)));
add64(at + 2u,plus64(plus64(times(nx,y),multiply(s.y,x)),plus64(multiply(s.x,y),vec2u(s.xy,0u))));
add64(at + 4u,plus64(plus64(times(multiply(s.n,y),y),multiply(2u * s.y,y)),vec2u(s.yy,0u)));
add64(at + 6u,vec2u(s.edges,0u));
add64(at + 8u,widen(s.euler));
}
fn add(base: u32,id: u32,slot: u32,x: u32,y: u32,s: Sums){
if(s.n == 0u){return;}
if(slot == NOWHERE){
flush(map[base + id],x,y,s);
return;
}
atomicAdd(&areas[slot],s.n);
atomicAdd(&sumsX[slot],s.x);
atomicAdd(&sumsY[slot],s.y);
atomicAdd(&sumsXX[slot],s.xx);
atomicAdd(&sumsXY[slot],s.xy);
atomicAdd(&sumsYY[slot],s.yy);
atomicAdd(&edges[slot],s.edges);
atomicAdd(&eulers[slot],s.euler);
}
fn squaresBelow(n: u32)-> u32{
return select((n *(n - 1u)*(2u * n - 1u))/ 6u,0u,n == 0u);
}
fn addWord(base: u32,x: u32,y: u32,column: u32,row: u32,inTile: u32,line: u32){
let index = row * parameters.words + column;
let at = index + parameters.words;
let c = bits[at];
if(c == 0u){return;}
let segmentStarts = startsOf(cellOf(c,column,row));
let segment = segmentsAt(column,row);
let u = bits[index];
var before = 0u;
var beforeAbove = 0u;
var after = 0u;
var afterAbove = 0u;
if(column > 0u){
before = bits[at - 1u] >> 31u;
beforeAbove = bits[index - 1u] >> 31u;
}
if(column + 1u < parameters.words){
after = bits[at + 1u] & 1u;
afterAbove = bits[index + 1u] & 1u;
}
let cLeft =(c << 1u)| before;
let uLeft =(u << 1u)| beforeAbove;
let cs = c & ~cLeft;
let us = u & ~uLeft;
var within = overlaps(c,cs,u,us);
var behind = 0u;
if(CELL == 2u){
within |= cs & ~u & uLeft;
behind = us & ~c & cLeft;
}
let behindWord = CELL == 2u &&(afterAbove & ~(u >> 31u)& ~after & 1u)== 1u;
var rest = c;
var id = NOWHERE;
var slot = NOWHERE;
var s = Sums();
while(rest != 0u){
let begin = countTrailingZeros(rest);
let length = countTrailingZeros(~(rest >> begin));
let end = begin + length;
let ones =(0xffffffffu >>(32u - length))<< begin;
rest &= ~ones;
let other = componentAt(segment,segmentOf(segmentStarts,begin));
if(other != id){
var own = NOWHERE;
if(other < LISTED){own = slots[other];}
if(own != slot || own == NOWHERE){
add(base,id,slot,x,y,s);
s = Sums();
}
id = other;
slot = own;
}
let begins = begin > 0u || before == 0u;
let ends = end < 32u || after == 0u;
let left = inTile * 32u + begin;
let sumX =(length *(2u * left + length - 1u))>> 1u;
s.n += length;
s.x += sumX;
s.y += length * line;
s.xx += squaresBelow(left + length)- squaresBelow(left);
s.xy += sumX * line;
s.yy += length * line * line;
s.edges += u32(begins)+ u32(ends)+ 2u *(length - countOneBits(c & u & ones));
var met = countOneBits(within & ones);
if(end < 32u){met +=(behind >> end)& 1u;}else if(behindWord){met += 1u;}
s.euler += i32(begins)- i32(met);
}
add(base,id,slot,x,y,s);
}
@compute @workgroup_size(128)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let tile = group.y * groups.x + group.x;
if(tile >= parameters.tiles){return;}
let info = tileTable[tile];
if(info.y == 0u){return;}
for(var i = t;i < min(info.y,LISTED);i += 128u){slots[i] = slotOf(map[info.x + i]);}
workgroupBarrier();
let column =(tile % parameters.tileColumns)* COLUMNS +(t & 3u);
let tileRow =(tile / parameters.tileColumns)* ROWS * CELL;
let x =(tile % parameters.tileColumns)* COLUMNS * 32u;
let y = parameters.row + tileRow;
for(var i = 0u;i < CELL;i++){
let line =(t >> 2u)* CELL + i;
if(column < parameters.words && tileRow + line < parameters.height){
addWord(info.x,x,y,column,tileRow + line,t & 3u,line);
}
}
workgroupBarrier();
let n = atomicLoad(&areas[t]);
if(n != 0u){
flush(atomicLoad(&keys[t]),x,y,Sums(
n,atomicLoad(&sumsX[t]),atomicLoad(&sumsY[t]),atomicLoad(&sumsXX[t]),atomicLoad(&sumsXY[t]),
atomicLoad(&sumsYY[t]),atomicLoad(&edges[t]),atomicLoad(&eulers[t]),
));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`records`,binding:5,access:`read_write`}],parameters:[`words`,`height`,`tileColumns`,`tiles`,`row`,`begin`,`count`]},"runs-count":{code:P.counters+`struct Parameters{
words: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read_write> counters: array<atomic<u32>>;
`+P[`run-starts`]+`var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let block =(group.y * groups.x + group.x)* 2048u;
var area = 0u;
var starts = 0u;
for(var i = 0u;i < 8u;i++){
let index = block + i * 256u + local;
if(index >= parameters.total){break;}
let at = index + parameters.words;
let word = bits[at];
if(word == 0u){continue;}
area += countOneBits(word);
starts += countOneBits(runStarts(word,at,index % parameters.words));
}
if(area > 0u){
atomicAdd(&pixels,area);
atomicAdd(&runs,starts);
}
workgroupBarrier();
if(local == 0u && atomicLoad(&pixels)> 0u){
atomicAdd(&counters[PIXELS],atomicLoad(&pixels));
atomicAdd(&counters[RUNS],atomicLoad(&runs));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`counters`,binding:2,access:`read_write`}],parameters:[`words`,`total`]},"runs-emit":{code:`struct Parameters{
words: u32,
total: u32,
row: u32,
begin: u32,
count: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> marks: array<u32>;
@group(0)@binding(3)var<storage,read> ranks: array<u32>;
@group(0)@binding(4)var<storage,read> blocks: array<u32>;
@group(0)@binding(5)var<storage,read_write> runs: array<u32>;
`+P.ranks+P[`run-starts`]+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let at = index + parameters.words;
let c = bits[at];
if(c == 0u){return;}
let row = index / parameters.words;
let column = index % parameters.words;
let before = rankOf(index)- parameters.begin;
let mine = marks[index];
var next = 0u;
if(column + 1u < parameters.words){next = bits[at + 1u] & 1u;}
for(var starts = runStarts(c,at,column);starts != 0u;starts &= starts - 1u){
let run = before + countOneBits(mine &((starts ^(starts - 1u))>> 1u));
if(run < parameters.count){
runs[run] = parameters.row + row;
runs[parameters.count + run] = column * 32u + countTrailingZeros(starts);
}
}
for(var lasts = c & ~((c >> 1u)|(next << 31u));lasts != 0u;lasts &= lasts - 1u){
let run = before + countOneBits(mine &(lasts ^(lasts - 1u)))- 1u;
if(run < parameters.count){
runs[2u * parameters.count + run] = column * 32u + countTrailingZeros(lasts)+ 1u;
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read`},{name:`ranks`,binding:3,access:`read`},{name:`blocks`,binding:4,access:`read`},{name:`runs`,binding:5,access:`read_write`}],parameters:[`words`,`total`,`row`,`begin`,`count`]},"runs-labels":{code:`struct Parameters{
words: u32,
total: u32,
tileColumns: u32,
begin: u32,
count: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read> segments: array<u32>;
@group(0)@binding(3)var<storage,read> tileTable: array<vec4u>;
@group(0)@binding(4)var<storage,read> map: array<u32>;
@group(0)@binding(5)var<storage,read> marks: array<u32>;
@group(0)@binding(6)var<storage,read> ranks: array<u32>;
@group(0)@binding(7)var<storage,read> blocks: array<u32>;
@group(0)@binding(8)var<storage,read_write> labels: array<u32>;
`+P.cells+P.ranks+P[`run-starts`]+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let at = index + parameters.words;
let c = bits[at];
if(c == 0u){return;}
let row = index / parameters.words;
let column = index % parameters.words;
let before = rankOf(index)- parameters.begin;
let segment = segmentsAt(column,row);
let base = firstNode(column,row);
let segmentStarts = startsOf(cellOf(c,column,row));
for(var starts = runStarts(c,at,column);starts != 0u;starts &= starts - 1u){
let upTo = starts ^(starts - 1u);
let run = before + countOneBits(marks[index] &(upTo >> 1u));
if(run < parameters.count){
let k = countOneBits(segmentStarts & upTo)- 1u;
labels[run] = map[base + componentAt(segment,k)];
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`segments`,binding:2,access:`read`},{name:`tileTable`,binding:3,access:`read`},{name:`map`,binding:4,access:`read`},{name:`marks`,binding:5,access:`read`},{name:`ranks`,binding:6,access:`read`},{name:`blocks`,binding:7,access:`read`},{name:`labels`,binding:8,access:`read_write`}],parameters:[`words`,`total`,`tileColumns`,`begin`,`count`]},"runs-starts":{code:`struct Parameters{
words: u32,
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> bits: array<u32>;
@group(0)@binding(2)var<storage,read_write> marks: array<u32>;
override SECOND: bool = false;
`+P[`run-starts`]+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
let at = index + parameters.words;
var starts = runStarts(bits[at],at,index % parameters.words);
if(SECOND){starts |= marks[index];}
marks[index] = starts;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`bits`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read_write`}],parameters:[`words`,`total`]},"smooth-lines-exact":{code:`struct Parameters{
words: u32,
stride: u32,
step: u32,
lines: u32,
below: u32,
radius: u32,
high: u32,
low: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> plane: array<u32>;
@group(0)@binding(2)var<storage,read> weights: array<vec2i>;
@group(0)@binding(3)var<storage,read_write> result: array<u32>;
`+P.mirrored+P.exact+`@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let word =(group.y * groups.x + group.x)* 256u + t;
if(word >= parameters.words){return;}
let line =(word / parameters.stride / parameters.below)% parameters.lines;
let middle = halvesOf(plane[word]);
var sums = Sums(middle * i32(parameters.high),middle * i32(parameters.low));
let first = word - line * parameters.step;
let lines = i32(parameters.lines);
for(var step = 1u;step <= parameters.radius;step++){
let before = first + u32(mirrored(i32(line)- i32(step),lines))* parameters.step;
let behind = first + u32(mirrored(i32(line + step),lines))* parameters.step;
sums = withPair(sums,halvesOf(plane[before]),halvesOf(plane[behind]),step);
}
result[word] = meansOf(sums);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`plane`,binding:1,access:`read`},{name:`weights`,binding:2,access:`read`},{name:`result`,binding:3,access:`read_write`}],parameters:[`words`,`stride`,`step`,`lines`,`below`,`radius`,`high`,`low`]},"smooth-lines":{code:`struct Parameters{
words: u32,
stride: u32,
values: u32,
step: u32,
lines: u32,
below: u32,
radius: u32,
middle: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> plane: array<vec2u>;
@group(0)@binding(2)var<storage,read> weights: array<vec4u>;
@group(0)@binding(3)var<storage,read_write> result: array<u32>;
`+P.mirrored+P.weighted+`override PACK: bool = true;
fn fourOf(pair: vec2u,weight: u32)-> vec2u{
return vec2u(weighted(pair.x,weight),weighted(pair.y,weight));
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let pair =(group.y * groups.x + group.x)* 256u + t;
let word = pair * 2u;
if(word >= parameters.words){return;}
let row = word / parameters.stride;
let line =(row / parameters.below)% parameters.lines;
let step = parameters.step >> 1u;
var sum = fourOf(plane[pair],parameters.middle);
if(line >= parameters.radius && line + parameters.radius < parameters.lines){
var before = pair;
var behind = pair;
for(var q = 0u;q <(parameters.radius >> 2u);q++){
let four = weights[q];
let first = plane[before - step] + plane[behind + step];
let second = plane[before - 2u * step] + plane[behind + 2u * step];
let third = plane[before - 3u * step] + plane[behind + 3u * step];
before -= 4u * step;
behind += 4u * step;
let fourth = plane[before] + plane[behind];
sum += fourOf(first,four.x)+ fourOf(second,four.y)+ fourOf(third,four.z)+ fourOf(fourth,four.w);
}
}else{
let first = pair - line * step;
let lines = i32(parameters.lines);
for(var k = 1;k <= i32(parameters.radius);k++){
let before = first + u32(mirrored(i32(line)- k,lines))* step;
let behind = first + u32(mirrored(i32(line)+ k,lines))* step;
sum += fourOf(plane[before] + plane[behind],weights[(k - 1)>> 2u][(k - 1)& 3]);
}
}
if(!PACK){
result[word] = sum.x;
result[word + 1u] = sum.y;
return;
}
let column =(word - row * parameters.stride)* 2u;
let four = vec4u(sum.x & 0xffffu,sum.x >> 16u,sum.y & 0xffffu,sum.y >> 16u);
let bytes = min(vec4u(255u),(four + 32u)>> vec4u(6u));
result[(row * parameters.values + column)>> 2u] = bytes.x |(bytes.y << 8u)|(bytes.z << 16u)|(bytes.w << 24u);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`plane`,binding:1,access:`read`},{name:`weights`,binding:2,access:`read`},{name:`result`,binding:3,access:`read_write`}],parameters:[`words`,`stride`,`values`,`step`,`lines`,`below`,`radius`,`middle`]},"smooth-pack-exact":{code:`struct Parameters{
total: u32,
values: u32,
stride: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> plane: array<u32>;
@group(0)@binding(2)var<storage,read_write> result: array<u32>;
override TYPE: u32 = 0u;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + t;
let inWord = select(2u,4u,TYPE == 0u);
if(thread * inWord >= parameters.total){return;}
var word = 0u;
for(var i = 0u;i < inWord;i++){
let at = thread * inWord + i;
if(at >= parameters.total){break;}
let row = at / parameters.values;
let column = at - row * parameters.values;
let value =(plane[row * parameters.stride +(column >> 1u)] >>((column & 1u)* 16u))& 0xffffu;
if(TYPE == 0u){word |= min(255u,((value ^ 0x8000u)+ 128u)>> 8u)<<(8u * i);}
else{word |=(value ^ select(0u,0x8000u,TYPE == 1u))<<(16u * i);}
}
result[thread] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`plane`,binding:1,access:`read`},{name:`result`,binding:2,access:`read_write`}],parameters:[`total`,`values`,`stride`]},"smooth-pack":{code:`struct Parameters{
total: u32,
values: u32,
stride: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> plane: array<u32>;
@group(0)@binding(2)var<storage,read_write> result: array<u32>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let thread =(group.y * groups.x + group.x)* 256u + t;
if(thread * 4u >= parameters.total){return;}
var word = 0u;
for(var i = 0u;i < 4u;i++){
let at = thread * 4u + i;
if(at >= parameters.total){break;}
let row = at / parameters.values;
let column = at - row * parameters.values;
let value =(plane[row * parameters.stride +(column >> 1u)] >>((column & 1u)* 16u))& 0xffffu;
word |= min(255u,(value + 32u)>> 6u)<<(8u * i);
}
result[thread] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`plane`,binding:1,access:`read`},{name:`result`,binding:2,access:`read_write`}],parameters:[`total`,`values`,`stride`]},"smooth-rows-exact":{code:`struct Parameters{
values: u32,
channels: u32,
width: u32,
words: u32,
stride: u32,
radius: u32,
first: u32,
high: u32,
low: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read> weights: array<vec2i>;
@group(0)@binding(3)var<storage,read_write> plane: array<u32>;
override TYPE: u32 = 0u;
`+P.pixels+P.mirrored+P.exact+`fn valueAt(at: u32)-> i32{
if(TYPE == 0u){return i32(byteAt(at)<< 8u)- 32768;}
if(TYPE == 1u){return i32(shortAt(at))- 32768;}
return signed16(shortAt(at));
}
fn twoAt(source: u32,at: i32)-> vec2i{
let last = i32(parameters.values)- 1;
if(at >= 0 && at < last){return vec2i(valueAt(source + u32(at)),valueAt(source + u32(at + 1)));}
let channels = i32(parameters.channels);
var two = vec2i(0);
for(var i = 0;i < 2;i++){
let value = at + i;
let pixel = select(value,value - channels + 1,value < 0)/ channels;
let place = mirrored(pixel,i32(parameters.width))* channels + value - pixel * channels;
two[i] = valueAt(source + u32(place));
}
return two;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let word =(group.y * groups.x + group.x)* 256u + t;
if(word >= parameters.words){return;}
let row = word / parameters.stride;
let at = i32((word - row * parameters.stride)* 2u);
let source = parameters.first + row * parameters.values;
let middle = twoAt(source,at);
var sums = Sums(middle * i32(parameters.high),middle * i32(parameters.low));
for(var step = 1u;step <= parameters.radius;step++){
let reach = i32(step * parameters.channels);
sums = withPair(sums,twoAt(source,at - reach),twoAt(source,at + reach),step);
}
plane[word] = meansOf(sums);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`weights`,binding:2,access:`read`},{name:`plane`,binding:3,access:`read_write`}],parameters:[`values`,`channels`,`width`,`words`,`stride`,`radius`,`first`,`high`,`low`]},"smooth-rows":{code:`struct Parameters{
values: u32,
channels: u32,
width: u32,
rows: u32,
segments: u32,
stride: u32,
radius: u32,
first: u32,
middle: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read> weights: array<vec4u>;
@group(0)@binding(3)var<storage,read_write> plane: array<u32>;
`+P.pixels+P.mirrored+P.weighted+`var<workgroup> even: array<u32,640>;
var<workgroup> odd: array<u32,640>;
fn valueAt(source: u32,at: i32,inside: bool)-> u32{
if(inside){return byteAt(source + u32(at))<< 6u;}
let channels = i32(parameters.channels);
let pixel = select(at,at - channels + 1,at < 0)/ channels;
let value = mirrored(pixel,i32(parameters.width))* channels + at - pixel * channels;
return byteAt(source + u32(value))<< 6u;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let row = block / parameters.segments;
if(row >= parameters.rows){return;}
let begin =(block % parameters.segments)* 1024u;
let reach = parameters.radius * parameters.channels;
let lead =(reach + 1u)& ~1u;
let pairs = 512u + lead;
let source = parameters.first + row * parameters.values;
let inside = begin >= lead && begin + 1024u + lead <= parameters.values;
for(var i = t;i < pairs;i += 256u){
let at = i32(begin + 2u * i)- i32(lead);
even[i] = valueAt(source,at,inside)|(valueAt(source,at + 1,inside)<< 16u);
}
workgroupBarrier();
for(var i = t;i + 1u < pairs;i += 256u){odd[i] =(even[i] >> 16u)|(even[i + 1u] << 16u);}
workgroupBarrier();
for(var half = 0u;half < 2u;half++){
let at = half * 512u + 2u * t;
if(begin + at >= parameters.stride * 2u){continue;}
let middle =(lead + at)>> 1u;
var sum = weighted(even[middle],parameters.middle);
let channels = parameters.channels;
if((channels & 1u)== 0u){
let step = channels >> 1u;
var before = middle;
var behind = middle;
for(var q = 0u;q <(parameters.radius >> 2u);q++){
let four = weights[q];
sum += weighted(even[before - step] + even[behind + step],four.x);
sum += weighted(even[before - 2u * step] + even[behind + 2u * step],four.y);
sum += weighted(even[before - 3u * step] + even[behind + 3u * step],four.z);
before -= 4u * step;
behind += 4u * step;
sum += weighted(even[before] + even[behind],four.w);
}
}else{
let one =(channels - 1u)>> 1u;
let three =(3u * channels - 1u)>> 1u;
var before = middle;
var behind = middle;
for(var q = 0u;q <(parameters.radius >> 2u);q++){
let four = weights[q];
sum += weighted(odd[before - one - 1u] + odd[behind + one],four.x);
sum += weighted(even[before - channels] + even[behind + channels],four.y);
sum += weighted(odd[before - three - 1u] + odd[behind + three],four.z);
before -= 2u * channels;
behind += 2u * channels;
sum += weighted(even[before] + even[behind],four.w);
}
}
plane[row * parameters.stride +((begin + at)>> 1u)] = sum;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`weights`,binding:2,access:`read`},{name:`plane`,binding:3,access:`read_write`}],parameters:[`values`,`channels`,`width`,`rows`,`segments`,`stride`,`radius`,`first`,`middle`]},"wand-differ":{code:`struct Parameters{
pixels: u32,
first: u32,
colour: u32,
to: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> differences: array<u32>;
`+P.pixels+`override CHANNELS: u32 = 1u;
override LEAST: bool = false;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let begin =((group.y * groups.x + group.x)* 256u + t)* 4u;
if(begin >= parameters.pixels){return;}
let at = parameters.to + begin / 4u;
let there = select(0u,differences[at],LEAST);
var word = 0u;
for(var i = 0u;i < min(4u,parameters.pixels - begin);i++){
let source = parameters.first +(begin + i)* CHANNELS;
var most = 0u;
for(var c = 0u;c < CHANNELS;c++){
let value = byteAt(source + c);
let wanted =(parameters.colour >>(c * 8u))& 255u;
most = max(most,max(value,wanted)- min(value,wanted));
}
if(LEAST){most = min(most,(there >>(i * 8u))& 255u);}
word |= most <<(i * 8u);
}
differences[at] = word;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`differences`,binding:2,access:`read_write`}],parameters:[`pixels`,`first`,`colour`,`to`]},"watershed-decide":{code:P[`watershed-counters`]+`struct Parameters{
capacity: u32,
basins: u32,
h: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> counters: array<u32>;
@group(0)@binding(2)var<storage,read> saddles: array<u32>;
@group(0)@binding(3)var<storage,read> peaks: array<u32>;
@group(0)@binding(4)var<storage,read> parents: array<u32>;
@group(0)@binding(5)var<storage,read_write> best: array<u32>;
@group(0)@binding(6)var<storage,read_write> goals: array<u32>;
`+P.sum64+`const NONE = 0xffffffffu;
fn isHigher(peak: u32,saddle: u32)-> bool{
let h = parameters.h;
if(peak <= saddle){return false;}
if(peak - saddle < h * h){return false;}
let d = peak - saddle - h * h;
let left = multiply(d,d);
let right = multiply(4u * h * h,saddle);
return left.y > right.y ||(left.y == right.y && left.x >= right.x);
}
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
let count = counters[SADDLES];
if(count > parameters.capacity || counters[BASINS] > parameters.basins){return;}
for(var i = id.x;i < count;i += groups.x * 256u){
let low = saddles[i * 3u];
if(low == NONE){continue;}
let high = saddles[i * 3u + 1u];
let saddle = saddles[i * 3u + 2u];
let a = parents[low];
let b = parents[high];
let isFirst = peaks[a] > peaks[b] ||(peaks[a] == peaks[b] && a < b);
let lower = select(a,b,isFirst);
let at = lower * 4u;
if(best[at] != saddle || best[at + 1u] != ~low || best[at + 2u] != ~high){continue;}
if(isHigher(peaks[lower],saddle)){
best[at + 3u] = 1u;
}else{
goals[lower] = select(b,a,isFirst)+ 1u;
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`counters`,binding:1,access:`read`},{name:`saddles`,binding:2,access:`read`},{name:`peaks`,binding:3,access:`read`},{name:`parents`,binding:4,access:`read`},{name:`best`,binding:5,access:`read_write`},{name:`goals`,binding:6,access:`read_write`}],parameters:[`capacity`,`basins`,`h`]},"watershed-firsts":{code:`struct Parameters{
width: u32,
height: u32,
depth: u32,
total: u32,
capacity: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> basins: array<u32>;
@group(0)@binding(2)var<storage,read> parents: array<u32>;
@group(0)@binding(3)var<storage,read_write> firsts: array<atomic<u32>>;
`+P.around+`fn isOf(at: vec3i,part: u32)-> bool{
if(!isInside(at)){return false;}
let basin = basins[placeOf(at)];
return basin != 0u && basin <= parameters.capacity && parents[basin - 1u] == part;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let place =(group.y * groups.x + group.x)* 256u + local;
if(place >= parameters.total){return;}
let basin = basins[place];
if(basin == 0u || basin > parameters.capacity){return;}
let part = parents[basin - 1u];
let at = positionOf(place);
if(isOf(at - vec3i(1,0,0),part)|| isOf(at - vec3i(0,1,0),part)|| isOf(at - vec3i(0,0,1),part)){return;}
atomicMax(&firsts[part],~place);
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`basins`,binding:1,access:`read`},{name:`parents`,binding:2,access:`read`},{name:`firsts`,binding:3,access:`read_write`}],parameters:[`width`,`height`,`depth`,`total`,`capacity`]},"watershed-follow":{code:P[`watershed-counters`]+`struct Parameters{
basins: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> counters: array<u32>;
@group(0)@binding(2)var<storage,read> goals: array<u32>;
@group(0)@binding(3)var<storage,read_write> parents: array<u32>;
@group(0)@binding(4)var<storage,read_write> best: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
let count = counters[BASINS];
if(count > parameters.basins){return;}
for(var i = id.x;i < count;i += groups.x * 256u){
var root = parents[i];
for(var goal = goals[root];goal != 0u;goal = goals[root]){root = goal - 1u;}
parents[i] = root;
best[i * 4u] = 0u;
best[i * 4u + 1u] = 0u;
best[i * 4u + 2u] = 0u;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`counters`,binding:1,access:`read`},{name:`goals`,binding:2,access:`read`},{name:`parents`,binding:3,access:`read_write`},{name:`best`,binding:4,access:`read_write`}],parameters:[`basins`]},"watershed-highest-neighbours":{code:`struct Parameters{
width: u32,
height: u32,
depth: u32,
words: u32,
tileColumns: u32,
tileLines: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> heights: array<u32>;
@group(0)@binding(2)var<storage,read_write> leads: array<u32>;
@group(0)@binding(3)var<storage,read_write> marks: array<u32>;
`+P.around+`const NONE = 0xffffffffu;
const ROUNDS = 6u;
var<workgroup> next: array<u32,1024>;
var<workgroup> outward: array<u32,1024>;
var<workgroup> peaks: array<atomic<u32>,32>;
const SIDE = 34u;
var<workgroup> tile: array<u32,1156>;
fn highest(i: u32,at: vec3i,place: u32)-> vec3i{
let center =(i / 32u + 1u)* SIDE + i % 32u + 1u;
var most = 0u;
var best = vec3i(0);
for(var z = -REACH_Z;z <= REACH_Z;z++){
for(var y = -1;y <= 1;y++){
for(var x = -1;x <= 1;x++){
if(!joins(x,y,z)&&(x != 0 || y != 0 || z != 0)){continue;}
var value = 0u;
if(REACH_Z == 0){
value = tile[i32(center)+ y * i32(SIDE)+ x];
}else if(isInside(at + vec3i(x,y,z))){
value = heights[stepFrom(place,x,y,z)];
}
if(value > most){
most = value;
best = vec3i(x,y,z);
}
}
}
}
return best;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let number = group.y * groups.x + group.x;
let column = number % parameters.tileColumns;
let line = number / parameters.tileColumns;
let z = line / parameters.tileLines;
let corner = vec3i(vec3u(column * 32u,line % parameters.tileLines * 32u,z));
if(REACH_Z == 0){
for(var i = local;i < SIDE * SIDE;i += 256u){
let at = corner + vec3i(i32(i % SIDE)- 1,i32(i / SIDE)- 1,0);
var height = 0u;
if(isInside(at)){height = heights[placeOf(at)];}
tile[i] = height;
}
workgroupBarrier();
}
for(var i = local;i < 1024u;i += 256u){
let at = corner + vec3i(vec2i(vec2u(i % 32u,i / 32u)),0);
next[i] = i;
outward[i] = NONE;
if(isInside(at)){
let place = placeOf(at);
if(heights[place] > 0u){
let step = highest(i,at,place);
let inside = vec2i(vec2u(i % 32u,i / 32u))+ step.xy;
outward[i] = stepFrom(place,step.x,step.y,step.z);
if(all(step == vec3i(0))){
atomicOr(&peaks[i / 32u],1u <<(i % 32u));
}else if(step.z == 0 && all(inside >= vec2i(0))&& all(inside < vec2i(32))){
next[i] = u32(inside.y * 32 + inside.x);
}
}
}
}
for(var round = 0u;round < ROUNDS;round++){
workgroupBarrier();
var ahead: array<u32,4>;
for(var k = 0u;k < 4u;k++){ahead[k] = next[next[local + k * 256u]];}
workgroupBarrier();
for(var k = 0u;k < 4u;k++){next[local + k * 256u] = ahead[k];}
}
workgroupBarrier();
for(var k = 0u;k < 4u;k++){
let i = local + k * 256u;
let at = corner + vec3i(vec2i(vec2u(i % 32u,i / 32u)),0);
if(!isInside(at)){continue;}
leads[placeOf(at)] = outward[next[i]];
if(i % 32u == 0u){
let row = u32(at.z)* parameters.height + u32(at.y);
marks[row * parameters.words + column] = atomicLoad(&peaks[i / 32u]);
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`heights`,binding:1,access:`read`},{name:`leads`,binding:2,access:`read_write`},{name:`marks`,binding:3,access:`read_write`}],parameters:[`width`,`height`,`depth`,`words`,`tileColumns`,`tileLines`]},"watershed-highest-saddles":{code:P[`watershed-counters`]+`struct Parameters{
capacity: u32,
basins: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read_write> counters: array<atomic<u32>>;
@group(0)@binding(2)var<storage,read_write> saddles: array<u32>;
@group(0)@binding(3)var<storage,read> peaks: array<u32>;
@group(0)@binding(4)var<storage,read> parents: array<u32>;
@group(0)@binding(5)var<storage,read_write> best: array<atomic<u32>>;
override STEP: u32 = 0u;
const NONE = 0xffffffffu;
var<workgroup> live: atomic<u32>;
fn offer(root: u32,low: u32,high: u32,saddle: u32){
let at = root * 4u;
if(STEP == 0u){
atomicMax(&best[at],saddle);
return;
}
if(atomicLoad(&best[at])!= saddle){return;}
if(STEP == 1u){
atomicMax(&best[at + 1u],~low);
}else if(atomicLoad(&best[at + 1u])== ~low){
atomicMax(&best[at + 2u],~high);
}
}
@compute @workgroup_size(256)
fn main(
@builtin(global_invocation_id)id: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let count = atomicLoad(&counters[SADDLES]);
let fits = count <= parameters.capacity && atomicLoad(&counters[BASINS])<= parameters.basins;
var left = 0u;
for(var i = id.x;fits && i < count;i += groups.x * 256u){
let low = saddles[i * 3u];
if(low == NONE){continue;}
let high = saddles[i * 3u + 1u];
let saddle = saddles[i * 3u + 2u];
let a = parents[low];
let b = parents[high];
if(STEP == 0u){
let isFirst = peaks[a] > peaks[b] ||(peaks[a] == peaks[b] && a < b);
let lower = select(a,b,isFirst);
if(a == b || atomicLoad(&best[lower * 4u + 3u])== 1u){
saddles[i * 3u] = NONE;
continue;
}
left++;
}
offer(a,low,high,saddle);
offer(b,low,high,saddle);
}
if(STEP != 0u){return;}
if(left > 0u){atomicAdd(&live,left);}
workgroupBarrier();
if(local == 0u){atomicAdd(&counters[LIVE],atomicLoad(&live));}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`counters`,binding:1,access:`read_write`},{name:`saddles`,binding:2,access:`read_write`},{name:`peaks`,binding:3,access:`read`},{name:`parents`,binding:4,access:`read`},{name:`best`,binding:5,access:`read_write`}],parameters:[`capacity`,`basins`]},"watershed-mark":{code:P[`watershed-counters`]+`struct Parameters{
width: u32,
words: u32,
basins: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> counters: array<u32>;
@group(0)@binding(2)var<storage,read> firsts: array<u32>;
@group(0)@binding(3)var<storage,read_write> marks: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
for(var i = id.x;i < min(counters[BASINS],parameters.basins);i += groups.x * 256u){
if(firsts[i] == 0u){continue;}
let place = ~firsts[i];
let x = place % parameters.width;
atomicOr(&marks[place / parameters.width * parameters.words +(x >> 5u)],1u <<(x & 31u));
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`counters`,binding:1,access:`read`},{name:`firsts`,binding:2,access:`read`},{name:`marks`,binding:3,access:`read_write`}],parameters:[`width`,`words`,`basins`]},"watershed-name":{code:`struct Parameters{
total: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> leads: array<u32>;
@group(0)@binding(2)var<storage,read_write> basins: array<u32>;
const NONE = 0xffffffffu;
const NAMED = 0x80000000u;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let place =(group.y * groups.x + group.x)* 256u + local;
if(place >= parameters.total){return;}
var at = leads[place];
if(at == NONE){
basins[place] = 0u;
return;
}
while((at & NAMED)== 0u){at = leads[at];}
basins[place] =(at & ~NAMED)+ 1u;
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`leads`,binding:1,access:`read`},{name:`basins`,binding:2,access:`read_write`}],parameters:[`total`]},"watershed-number":{code:P[`watershed-counters`]+`struct Parameters{
width: u32,
words: u32,
basins: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> marks: array<u32>;
@group(0)@binding(2)var<storage,read> ranks: array<u32>;
@group(0)@binding(3)var<storage,read> blocks: array<u32>;
@group(0)@binding(4)var<storage,read> firsts: array<u32>;
@group(0)@binding(5)var<storage,read> objects: array<u32>;
@group(0)@binding(6)var<storage,read> parents: array<u32>;
@group(0)@binding(7)var<storage,read_write> names: array<u32>;
@group(0)@binding(8)var<storage,read_write> origins: array<u32>;
`+P.ranks+`@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id)id: vec3u,@builtin(num_workgroups)groups: vec3u){
for(var i = id.x;i < min(origins[BASINS],parameters.basins);i += groups.x * 256u){
let place = ~firsts[parents[i]];
let x = place % parameters.width;
let word = place / parameters.width * parameters.words +(x >> 5u);
let before = rankOf(word)+ countOneBits(marks[word] &((1u <<(x & 31u))- 1u));
names[i] = before + 1u;
if(parents[i] == i){origins[COUNTERS + before] = objects[place];}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`marks`,binding:1,access:`read`},{name:`ranks`,binding:2,access:`read`},{name:`blocks`,binding:3,access:`read`},{name:`firsts`,binding:4,access:`read`},{name:`objects`,binding:5,access:`read`},{name:`parents`,binding:6,access:`read`},{name:`names`,binding:7,access:`read_write`},{name:`origins`,binding:8,access:`read_write`}],parameters:[`width`,`words`,`basins`]},"watershed-peaks":{code:`struct Parameters{
width: u32,
words: u32,
total: u32,
capacity: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> heights: array<u32>;
@group(0)@binding(2)var<storage,read> marks: array<u32>;
@group(0)@binding(3)var<storage,read> ranks: array<u32>;
@group(0)@binding(4)var<storage,read> blocks: array<u32>;
@group(0)@binding(5)var<storage,read_write> leads: array<u32>;
@group(0)@binding(6)var<storage,read_write> peaks: array<u32>;
@group(0)@binding(7)var<storage,read_write> parents: array<u32>;
`+P.ranks+`const NAMED = 0x80000000u;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let index =(group.y * groups.x + group.x)* 256u + local;
if(index >= parameters.total){return;}
var word = marks[index];
if(word == 0u){return;}
var basin = rankOf(index);
let first = index / parameters.words * parameters.width + index % parameters.words * 32u;
for(;word != 0u;word &= word - 1u){
let place = first + countTrailingZeros(word);
leads[place] = NAMED | basin;
if(basin < parameters.capacity){
peaks[basin] = heights[place];
parents[basin] = basin;
}
basin++;
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`heights`,binding:1,access:`read`},{name:`marks`,binding:2,access:`read`},{name:`ranks`,binding:3,access:`read`},{name:`blocks`,binding:4,access:`read`},{name:`leads`,binding:5,access:`read_write`},{name:`peaks`,binding:6,access:`read_write`},{name:`parents`,binding:7,access:`read_write`}],parameters:[`width`,`words`,`total`,`capacity`]},"watershed-relabel":{code:P[`watershed-counters`]+`struct Parameters{
width: u32,
total: u32,
basins: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> basins: array<u32>;
@group(0)@binding(2)var<storage,read> names: array<u32>;
@group(0)@binding(3)var<storage,read_write> labels: array<u32>;
@group(0)@binding(4)var<storage,read_write> counters: array<atomic<u32>>;
var<workgroup> runs: atomic<u32>;
fn labelOf(place: u32)-> u32{
let basin = basins[place];
if(basin == 0u || basin > parameters.basins){return 0u;}
return names[basin - 1u];
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let place =(group.y * groups.x + group.x)* 256u + local;
if(place < parameters.total){
let label = labelOf(place);
labels[place] = label;
let isFirst = place % parameters.width == 0u;
if(label != 0u &&(isFirst || labelOf(place - 1u)!= label)){atomicAdd(&runs,1u);}
}
workgroupBarrier();
if(local == 0u){atomicAdd(&counters[RUNS],atomicLoad(&runs));}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`basins`,binding:1,access:`read`},{name:`names`,binding:2,access:`read`},{name:`labels`,binding:3,access:`read_write`},{name:`counters`,binding:4,access:`read_write`}],parameters:[`width`,`total`,`basins`]},"watershed-saddles":{code:P[`watershed-counters`]+`struct Parameters{
width: u32,
height: u32,
depth: u32,
columns: u32,
lines: u32,
capacity: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> heights: array<u32>;
@group(0)@binding(2)var<storage,read> basins: array<u32>;
@group(0)@binding(3)var<storage,read_write> saddles: array<u32>;
@group(0)@binding(4)var<storage,read_write> counters: array<atomic<u32>>;
`+P.around+`override BLOCK_X: u32 = 32u;
override BLOCK_Y: u32 = 8u;
override BLOCK_Z: u32 = 1u;
var<workgroup> high: array<u32,1152>;
var<workgroup> basin: array<u32,1152>;
var<workgroup> listed: atomic<u32>;
var<workgroup> begin: u32;
struct Pair{
saddle: u32,
first: u32,
second: u32,
}
fn pairOf(a: u32,b: u32)-> Pair{
return Pair(min(high[a],high[b]),min(a,b),max(a,b));
}
fn precedes(a: Pair,b: Pair)-> bool{
if(a.saddle != b.saddle){return a.saddle > b.saddle;}
return a.first < b.first ||(a.first == b.first && a.second < b.second);
}
fn stepOf(x: i32,y: i32,z: i32)-> i32{
return(z * i32(BLOCK_Y + 4u)+ y)* i32(BLOCK_X + 4u)+ x;
}
fn isLater(a: u32,b: u32)-> bool{
let own = basin[a];
let second = basin[b];
let pair = pairOf(a,b);
for(var z = -REACH_Z;z <= REACH_Z;z++){
for(var y = -1;y <= 1;y++){
for(var x = -1;x <= 1;x++){
let near = u32(i32(a)+ stepOf(x,y,z));
let far = u32(i32(b)+ stepOf(x,y,z));
if(joins(x,y,z)){
if(basin[near] == second && precedes(pairOf(a,near),pair)){return true;}
if(basin[far] == own && precedes(pairOf(far,b),pair)){return true;}
}
if(abs(x)+ abs(y)+ abs(z)!= 1){continue;}
if(basin[near] == own && basin[far] == second && precedes(pairOf(near,far),pair)){return true;}
}
}
}
return false;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)local: u32,
){
let number = group.y * groups.x + group.x;
let line = number / parameters.columns;
let side = vec3u(BLOCK_X,BLOCK_Y,BLOCK_Z);
let corner = vec3i(vec3u(number % parameters.columns,line % parameters.lines,line / parameters.lines)* side);
let around = vec3i(2,2,2 * REACH_Z);
let wide = side + 2u * vec3u(around);
for(var i = local;i < wide.x * wide.y * wide.z;i += 256u){
let at = corner - around + vec3i(vec3u(i % wide.x,i / wide.x % wide.y,i /(wide.x * wide.y)));
var found = 0u;
if(isInside(at)){
let place = placeOf(at);
found = basins[place];
high[i] = heights[place];
}
basin[i] = found;
}
workgroupBarrier();
let inBlock = vec3u(local % side.x,local / side.x % side.y,local /(side.x * side.y))+ vec3u(around);
let place =(inBlock.z * wide.y + inBlock.y)* wide.x + inBlock.x;
let own = basin[place];
var chosen = 0u;
if(own != 0u){
var bit = 1u;
for(var z = 0;z <= REACH_Z;z++){
for(var y = -1;y <= 1;y++){
for(var x = -1;x <= 1;x++){
if(!joins(x,y,z)||(z == 0 &&(y < 0 ||(y == 0 && x < 0)))){continue;}
let beside = u32(i32(place)+ stepOf(x,y,z));
let second = basin[beside];
if(second != 0u && second != own && !isLater(place,beside)){chosen |= bit;}
bit <<= 1u;
}
}
}
}
var mine = 0u;
if(chosen != 0u){mine = atomicAdd(&listed,countOneBits(chosen));}
workgroupBarrier();
if(local == 0u){
let count = atomicLoad(&listed);
begin = 0u;
if(count > 0u){begin = atomicAdd(&counters[SADDLES],count);}
}
workgroupBarrier();
if(chosen == 0u){return;}
mine += begin;
var bit = 1u;
for(var z = 0;z <= REACH_Z;z++){
for(var y = -1;y <= 1;y++){
for(var x = -1;x <= 1;x++){
if(!joins(x,y,z)||(z == 0 &&(y < 0 ||(y == 0 && x < 0)))){continue;}
if((chosen & bit)!= 0u && mine < parameters.capacity){
let beside = u32(i32(place)+ stepOf(x,y,z));
let second = basin[beside];
saddles[mine * 3u] = min(own,second)- 1u;
saddles[mine * 3u + 1u] = max(own,second)- 1u;
saddles[mine * 3u + 2u] = min(high[place],high[beside]);
}
mine += select(0u,1u,(chosen & bit)!= 0u);
bit <<= 1u;
}
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`heights`,binding:1,access:`read`},{name:`basins`,binding:2,access:`read`},{name:`saddles`,binding:3,access:`read_write`},{name:`counters`,binding:4,access:`read_write`}],parameters:[`width`,`height`,`depth`,`columns`,`lines`,`capacity`]},"window-open":{code:`struct Parameters{
count: u32,
width: u32,
words: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> places: array<u32>;
@group(0)@binding(2)var<storage,read_write> bits: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let i =(group.y * groups.x + group.x)* 256u + t;
if(i >= parameters.count){return;}
let row = places[i] / parameters.width;
let x = places[i] % parameters.width;
atomicOr(&bits[(row + 1u)* parameters.words +(x >> 5u)],1u <<(x & 31u));
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`places`,binding:1,access:`read`},{name:`bits`,binding:2,access:`read_write`}],parameters:[`count`,`width`,`words`]},"window-slide":{code:`struct Parameters{
width: u32,
height: u32,
segments: u32,
first: u32,
radius: u32,
lead: u32,
top: u32,
rows: u32,
stretch: u32,
words: u32,
least: u32,
flip: u32,
weight: u32,
scale: u32,
inverse: u32,
margin: u32,
most: u32,
}
@group(0)@binding(0)var<uniform> parameters: Parameters;
@group(0)@binding(1)var<storage,read> pixels: array<u32>;
@group(0)@binding(2)var<storage,read_write> result: array<u32>;
@group(0)@binding(3)var<storage,read_write> undecided: array<atomic<u32>>;
`+P.pixels+P.mirrored+`override MODE: u32 = 0u;
var<workgroup> columns: array<u32,1024>;
var<workgroup> fours: array<u32,256>;
var<workgroup> powers: array<u32,1024>;
var<workgroup> powerFours: array<u32,256>;
var<workgroup> bits: array<atomic<u32>,32>;
fn placeOf(t: u32,k: i32)-> u32{
return u32(k & 3)* 256u + u32(i32(t)+(k >> 2u));
}
fn fourOf(row: i32,x: i32)-> u32{
let width = i32(parameters.width);
let begin = parameters.first + u32(mirrored(row,i32(parameters.height)))* parameters.width;
if(x < 0 || x + 4 > width){
var four = 0u;
for(var k = 0;k < 4;k++){four |= byteAt(begin + u32(mirrored(x + k,width)))<<(8u * u32(k));}
return four;
}
let at = begin + u32(x);
let shift =(at & 3u)* 8u;
let low = pixels[at >> 2u] >> shift;
if(shift == 0u){return low;}
return low |(pixels[(at >> 2u)+ 1u] <<(32u - shift));
}
fn squaresOf(four: u32)-> vec4u{
let values = vec4u(four & 0xffu,(four >> 8u)& 0xffu,(four >> 16u)& 0xffu,four >> 24u);
return values * values;
}
fn divided(a: u32,b: u32)-> u32{
let near = u32(f32(a)* bitcast<f32>(parameters.inverse));
let rest = i32(a - near * b);
return near + u32(rest >= i32(b))- u32(rest < 0);
}
fn isAbove(n: u32,v: u32,sum: u32,square: u32,place: u32)-> bool{
if(sum == 0u){return false;}
if(parameters.weight == 0u){return n * v > sum;}
let total = f32(sum);
let mean = u32(total * bitcast<f32>(parameters.inverse)+ 0.5);
let about = f32(square - 2u * mean * sum + mean * mean * n);
let rest = f32(i32(sum - mean * n));
let spread = sqrt(max(f32(n)* about - rest * rest,0.0));
let local = total + total * bitcast<f32>(parameters.weight)*(spread * bitcast<f32>(parameters.scale)- 1.0);
let above = f32(n * v)- local;
if(abs(above)> bitcast<f32>(parameters.margin)){return above > 0.0;}
let slot = atomicAdd(&undecided[0],1u);
if(slot < parameters.most){
let at = 4u + slot * 4u;
atomicStore(&undecided[at],place);
atomicStore(&undecided[at + 1u],sum);
atomicStore(&undecided[at + 2u],square);
atomicStore(&undecided[at + 3u],v);
}
return parameters.flip != 0u;
}
@compute @workgroup_size(256)
fn main(
@builtin(workgroup_id)group: vec3u,
@builtin(num_workgroups)groups: vec3u,
@builtin(local_invocation_index)t: u32,
){
let block = group.y * groups.x + group.x;
let begin =(block / parameters.segments)* parameters.stretch;
if(begin >= parameters.rows){return;}
let lead = parameters.lead;
let segment =(block % parameters.segments)*(1024u - 2u * lead);
let radius = i32(parameters.radius);
let x = i32(segment + 4u * t)- i32(lead);
let y0 = i32(parameters.top + begin);
var even = 0u;
var odd = 0u;
var squares = vec4u(0u);
for(var k = -radius;k <= radius;k++){
let four = fourOf(y0 + k,x);
even += four & 0x00ff00ffu;
odd +=(four >> 8u)& 0x00ff00ffu;
if(MODE == 2u){squares += squaresOf(four);}
}
let side = 2u * parameters.radius + 1u;
let n = side * side;
let hasWindows = 4u * t >= lead && 4u * t < 1024u - lead && x < i32(parameters.width);
let m = parameters.radius >> 2u;
let r = parameters.radius & 3u;
let near = vec3u(placeOf(t,radius + 1),placeOf(t,radius + 2),placeOf(t,radius + 3));
let far = vec3u(placeOf(t,-radius),placeOf(t,1 - radius),placeOf(t,2 - radius));
let rows = min(parameters.stretch,parameters.rows - begin);
var own = fourOf(y0,x);
var enters = fourOf(y0 + radius + 1,x);
var leaves = fourOf(y0 - radius,x);
for(var i = 0u;i < rows;i++){
let four = vec4u(even & 0xffffu,odd & 0xffffu,even >> 16u,odd >> 16u);
for(var k = 0u;k < 4u;k++){columns[k * 256u + t] = four[k];}
fours[t] = four.x + four.y + four.z + four.w;
if(MODE == 2u){
for(var k = 0u;k < 4u;k++){powers[k * 256u + t] = squares[k];}
powerFours[t] = squares.x + squares.y + squares.z + squares.w;
}
let y = y0 + i32(i)+ 1;
let nextOwn = fourOf(y,x);
let nextEnters = fourOf(y + radius + 1,x);
let nextLeaves = fourOf(y - radius,x);
workgroupBarrier();
let row = parameters.top + begin + i;
if(hasWindows){
var sum = 0u;
var square = 0u;
for(var q = t - m;q < t + m;q++){
sum += fours[q];
if(MODE == 2u){square += powerFours[q];}
}
for(var k = 0u;k <= r;k++){
sum += columns[k * 256u + t + m];
if(MODE == 2u){square += powers[k * 256u + t + m];}
}
for(var k = 4u - r;k < 4u;k++){
sum += columns[k * 256u + t - m - 1u];
if(MODE == 2u){square += powers[k * 256u + t - m - 1u];}
}
var word = 0u;
for(var k = 0u;k < 4u;k++){
if(x + i32(k)>= i32(parameters.width)){break;}
let v =(own >>(8u * k))& 0xffu;
if(MODE == 0u){
let flat = i32(v + 128u)- i32(divided(2u * sum + n,2u * n));
word |= u32(clamp(flat,0,255))<<(8u * k);
}else{
var more = false;
if(MODE == 1u){more = i32(n * v)- i32(sum)> i32(parameters.least);}
else{more = isAbove(n,v,sum,square,row * parameters.width + u32(x)+ k);}
word |=(u32(more)^(parameters.flip & 1u))<< k;
}
if(k == 3u){break;}
sum += columns[near[k]] - columns[far[k]];
if(MODE == 2u){square += powers[near[k]] - powers[far[k]];}
}
let at = 4u * t - lead;
if(MODE == 0u){result[row * parameters.words +(u32(x)>> 2u)] = word;}
else{atomicOr(&bits[at >> 5u],word <<(at & 31u));}
}
even +=(enters & 0x00ff00ffu)-(leaves & 0x00ff00ffu);
odd +=((enters >> 8u)& 0x00ff00ffu)-((leaves >> 8u)& 0x00ff00ffu);
if(MODE == 2u){squares += squaresOf(enters)- squaresOf(leaves);}
own = nextOwn;
enters = nextEnters;
leaves = nextLeaves;
workgroupBarrier();
if(MODE != 0u && t < 32u && t * 32u < 1024u - 2u * lead){
let word = atomicExchange(&bits[t],0u);
let place =(segment >> 5u)+ t;
if(place < parameters.words){result[(row + 1u)* parameters.words + place] = word;}
}
}
}
`,bindings:[{name:`parameters`,binding:0,access:`uniform`},{name:`pixels`,binding:1,access:`read`},{name:`result`,binding:2,access:`read_write`},{name:`undecided`,binding:3,access:`read_write`}],parameters:[`width`,`height`,`segments`,`first`,`radius`,`lead`,`top`,`rows`,`stretch`,`words`,`least`,`flip`,`weight`,`scale`,`inverse`,`margin`,`most`]}}})))()}var F,Qe,$e;function et(){return(et=e((()=>{F={MAP_READ:1,MAP_WRITE:2,COPY_SRC:4,COPY_DST:8,UNIFORM:64,STORAGE:128,QUERY_RESOLVE:512},Qe={READ:1,WRITE:2},$e={COMPUTE:4}})))()}function tt(e){return Object.fromEntries(Object.entries(e).map(([e,t])=>[e,Number(t)]))}function nt(e,t,n){let r=e[t];if(r===void 0)throw Error(`the kernel ${n} was given no ${t}`);return r}function rt(e,t){if(e>=-(2**31)&&e<2**32)return e>>>0;throw Error(`the parameter ${t} is ${e}, which takes more than 32 bits`)}function it(e,t){if(e<=t)return[e,1];let n=Math.ceil(e/t);return[Math.ceil(e/n),n]}var at,ot,st,ct,lt;function ut(){return(ut=e((()=>{Ze(),et(),at=256,ot=256,st=new WeakMap,ct=class e{static of(t){let n=st.get(t)??new e(t);return st.set(t,n),n}#e;#t=new Map;#n=new Map;constructor(e){this.#e=e}get(e,t){let n=`${e} ${JSON.stringify(t)}`,r=this.#t.get(n)??this.#r(e,t,n);return this.#t.set(n,r),r}async#r(e,t,n){let{module:r,layout:i}=this.#i(e);return{pipeline:await this.#e.createComputePipelineAsync({label:n,layout:this.#e.createPipelineLayout({label:n,bindGroupLayouts:[i]}),compute:{module:r,entryPoint:`main`,constants:tt(t)}}),layout:i}}#i(e){let t=this.#n.get(e);if(t)return t;let{code:n,bindings:r}=Xe[e],i=r.map(({binding:e,access:t})=>{let n=t===`uniform`?`uniform`:t===`read`?`read-only-storage`:`storage`;return{binding:e,visibility:$e.COMPUTE,buffer:{type:n}}}),a={module:this.#e.createShaderModule({label:e,code:n}),layout:this.#e.createBindGroupLayout({label:e,entries:i})};return this.#n.set(e,a),a}},lt=class{#e;#t;#n;#r;#i=[];constructor(e,t,n,r){this.#e=e,this.#t=t,this.#n=r,this.#r=n}static arena(e){return e.createBuffer({label:`parameters`,size:at*ot,usage:F.UNIFORM|F.COPY_DST})}stage(e,t){this.#i.push({kind:`stage`,stage:e,bytes:t})}dispatch(e,t,n,r={},i={}){t>0&&this.#i.push({kind:`dispatch`,name:e,constants:i,bindings:n,parameters:r,groups:t})}clear(e,t=0,n=e.size-t){this.#i.push({kind:`encode`,encode:r=>r.clearBuffer(e,t,n)})}copy(e,t,n,r,i){i!==0&&this.#i.push({kind:`encode`,encode:a=>a.copyBufferToBuffer(e,t,n,r,i)})}encode(e){this.#i.push({kind:`encode`,encode:e})}async submit(){for(;this.#i.length>0;)await this.#a()}async#a(){let e=this.#s(),t=await this.#e.orLost(Promise.all(e.map(e=>e.kind===`dispatch`?this.#t.get(e.name,e.constants):void 0)));this.#e.watch(()=>this.#o(e,t))}#o(e,t){let{gpu:n}=this.#e,r=n.createCommandEncoder({label:`skerry`}),i=new Uint32Array(at/4*e.length),a=0,o,s={stage:`work`,bytes:0},c=()=>{o?.end(),o=void 0};for(let[l,u]of e.entries())if(u.kind===`stage`)c(),s=u;else if(u.kind===`encode`)c(),u.encode(r);else{o||(o=r.beginComputePass(this.#n?.pass(s.stage,s.bytes)??{label:s.stage}),s={...s,bytes:0});let e=t[l],{bindings:c,parameters:d}=Xe[u.name],f={buffer:this.#r,offset:a*at,size:at};d.length>0&&(d.forEach((e,t)=>{i[a*at/4+t]=rt(nt(u.parameters,e,u.name),e)}),a++);let p=c.map(({name:e,binding:t,access:n})=>{if(n===`uniform`)return{binding:t,resource:f};let r=nt(u.bindings,e,u.name);return{binding:t,resource:`buffer`in r?r:{buffer:r}}});o.setPipeline(e.pipeline),o.setBindGroup(0,n.createBindGroup({label:u.name,layout:e.layout,entries:p}));let[m,h]=it(u.groups,n.limits.maxComputeWorkgroupsPerDimension);o.dispatchWorkgroups(m,h)}c(),a>0&&n.queue.writeBuffer(this.#r,0,i,0,a*at/4),n.queue.submit([r.finish()])}#s(){let e=0,t=0;for(let n of this.#i){if(n.kind===`dispatch`&&++e>ot)break;t++}return this.#i.splice(0,t)}}})))()}function dt(e){let t=Math.max(256,2**(Math.floor(Math.log2(Math.max(1,e)))-3));return Math.max(256,Math.ceil(e/t)*t)}function ft(e,t,n,r){try{return e.createBuffer({label:t,size:n,usage:r,mappedAtCreation:(r&F.MAP_WRITE)!==0})}catch(e){if(e instanceof RangeError)return;throw e}}async function pt(e,{bytes:t,into:n},r,i){let a=n??mt(e,t,r);try{await i({buffer:a,offset:0,size:C(t)})}catch(e){throw n||a.destroy(),e}return a}function mt({device:e},t,n){let{gpu:r}=e;D(t);let i=C(t);if(i>r.limits.maxBufferSize)throw new O(`Expected ${n} to fit one GPU buffer of at most ${r.limits.maxBufferSize} bytes, but they take ${i}; read them in bands.`);return r.createBuffer({label:`skerry ${n}`,size:i,usage:_t})}var I,ht,gt,_t,vt,yt;function L(){return(L=e((()=>{Ae(),N(),et(),I=4<<20,ht=8,gt=2e3,_t=F.STORAGE|F.COPY_SRC|F.COPY_DST,vt=class{#e;#t=new Map;#n=[];#r=[];meter={upload:{bytes:0,milliseconds:0},download:{bytes:0,milliseconds:0}};#i=0;#a=0;#o;#s=!1;constructor(e){this.#e=e}set busy(e){this.#s=e,clearTimeout(this.#o),!e&&(this.#o=setTimeout(()=>this.trim(),gt),this.#o.unref?.())}get usage(){return{used:this.#i,reserved:this.#a}}async allocate(e,t){D(e);let n=this.#c(e),r=this.#t.get(n)?.pop()??await this.#l(n,_t,t);return this.#i+=n,r}free(e){this.#i-=e.size;let t=this.#t.get(e.size)??[];t.push(e),this.#t.set(e.size,t),this.#s||(this.busy=!1)}trim(){for(let e of this.#t.values())for(let t of e)this.#a-=t.size,t.destroy();this.#t.clear()}async upload(){return this.#d(this.#n,F.MAP_WRITE|F.COPY_SRC,`upload`)}async download(){return this.#d(this.#r,F.MAP_READ|F.COPY_DST,`read back`)}close(){clearTimeout(this.#o),this.trim();for(let e of[...this.#n,...this.#r])e.buffer.destroy()}#c(e){let{maxBufferSize:t,maxStorageBufferBindingSize:n}=this.#e.gpu.limits,r=Math.min(t,n);return Math.min(dt(e),Math.max(r-r%256,e))}async#l(e,t,n){let{gpu:r}=this.#e;if(e>r.limits.maxBufferSize)throw this.#u(e,n);for(let i of[!1,!0]){r.pushErrorScope(`out-of-memory`);let a=ft(r,n,e,t),o=await this.#e.orLost(r.popErrorScope());if(a&&!o)return this.#a+=e,a;a?.destroy(),i||this.trim()}throw this.#u(e,n)}#u(e,t){return new he(`The GPU could not allocate ${e} bytes for ${t}, beside ${this.#i} bytes in use.`,{bytes:e})}async#d(e,t,n){let r=e.find(e=>!e.busy);if(r)return r.take(),r;if(e.length<ht){let r=new yt(this.#e,await this.#l(I,t,n),this.meter);return e.push(r),r}return await Promise.race(e.map(e=>e.whenFree)),this.#d(e,t,n)}},yt=class{buffer;busy=!0;whenFree=Promise.resolve();#e;#t;#n=()=>{};constructor(e,t,n){this.#e=e,this.#t=n,this.buffer=t,this.take()}take(){this.busy=!0,this.whenFree=new Promise(e=>{this.#n=e})}write(e){let t=performance.now();new Uint8Array(this.buffer.getMappedRange()).set(e),this.buffer.unmap(),this.#t.upload.milliseconds+=performance.now()-t,this.#t.upload.bytes+=e.length}remap(){this.#e.orLost(this.buffer.mapAsync(Qe.WRITE)).then(()=>this.free(),()=>this.free())}async read(e,t){try{await this.#e.orLost(this.buffer.mapAsync(Qe.READ,0,Math.ceil(e/8)*8));try{let n=performance.now(),r=t(this.buffer.getMappedRange(0,Math.ceil(e/8)*8));return this.#t.download.milliseconds+=performance.now()-n,this.#t.download.bytes+=e,await r}finally{this.buffer.unmap()}}finally{this.free()}}free(){this.busy=!1,this.#n()}}})))()}var bt,xt;function St(){return(St=e((()=>{et(),bt=2048,xt=class e{#e;#t;#n;#r;#i=[];constructor(e){this.#e=e;let{gpu:t}=e,n=bt*16;this.#t=t.createQuerySet({label:`times`,type:`timestamp`,count:bt*2}),this.#n=t.createBuffer({label:`times`,size:n,usage:F.QUERY_RESOLVE|F.COPY_SRC}),this.#r=t.createBuffer({label:`times read back`,size:n,usage:F.MAP_READ|F.COPY_DST})}static of(t){return t.gpu.features.has(`timestamp-query`)?new e(t):void 0}pass(e,t){let n=this.#i.length*2;return n===bt*2?{label:e}:(this.#i.push({stage:e,bytes:t}),{label:e,timestampWrites:{querySet:this.#t,beginningOfPassWriteIndex:n,endOfPassWriteIndex:n+1}})}get full(){return this.#i.length>1984}reset(){this.#i=[]}async collect(){let e=this.#i;if(this.#i=[],e.length===0)return[];let{gpu:t}=this.#e,n=t.createCommandEncoder({label:`times`});n.resolveQuerySet(this.#t,0,e.length*2,this.#n,0),n.copyBufferToBuffer(this.#n,0,this.#r,0,e.length*16),t.queue.submit([n.finish()]),await this.#e.orLost(this.#r.mapAsync(Qe.READ,0,e.length*16));let r=new BigUint64Array(this.#r.getMappedRange(0,e.length*16).slice(0));this.#r.unmap();let i=new Map;e.forEach(({stage:e,bytes:t},n)=>{let a=Number(r[2*n+1]-r[2*n]),o=i.get(e)??{milliseconds:0,bytes:0};i.set(e,{milliseconds:o.milliseconds+a/1e6,bytes:o.bytes+t})});let a=Number(r[2*e.length-1]-r[0])/1e6;return[...[...i].map(([e,t])=>({stage:e,...t,clock:`device`})),{stage:`on the device`,milliseconds:a,bytes:0,clock:`device`}]}close(){this.#t.destroy(),this.#n.destroy(),this.#r.destroy()}}})))()}async function R(e,t){let n=new Et(e);try{return await t(n)}finally{n.freeAll()}}var Ct,wt,Tt,Et;function z(){return(z=e((()=>{N(),ut(),et(),L(),St(),Ct=4e6,wt=64<<20,Tt=class{device;kernels;memory;profile;nothing;#e;#t=!1;#n=!1;constructor(e,t=!1){this.device=e,this.kernels=ct.of(e.gpu),this.memory=new vt(e),this.profile=t?xt.of(e):void 0,this.#e=lt.arena(e.gpu),this.nothing=e.gpu.createBuffer({label:`nothing`,size:256,usage:F.STORAGE})}async guard(e,t=!0){if(this.device.lost)throw this.device.lost;this.memory.busy=!0;try{let n=await this.device.orLost(e()).catch(async n=>{if(await this.device.checked(),!t||!(n instanceof he))throw n;return this.memory.trim(),this.device.orLost(this.device.withSmallerBindings(e))});return await this.device.checked(),n}finally{this.memory.busy=!1}}get sendsSlowly(){return this.#n}sent(e,t){if(e<wt)return;let n=e/t<Ct;this.#n=n&&this.#t,this.#t=n}commands(){return new lt(this.device,this.kernels,this.#e,this.profile)}async timed(e,t,n,r){this.profile?.reset();let i=structuredClone(this.memory.meter),a=performance.now(),o=await r();e.timings.push({stage:t,milliseconds:performance.now()-a,bytes:n});for(let[t,n]of[[`upload`,`copy to the GPU`],[`download`,`copy from the GPU`]]){let{bytes:r,milliseconds:a}=this.memory.meter[t],[o,s]=[r-i[t].bytes,a-i[t].milliseconds];o>0&&e.timings.push({stage:n,milliseconds:s,bytes:o,part:!0})}return this.profile&&e.timings.push(...await this.profile.collect()),o}async fetch(e,t,n,r,i){let a=await this.memory.download();try{e.copy(t,n,a.buffer,0,Math.ceil(r/4)*4),await e.submit()}catch(e){throw a.free(),e}let o=a.read(r,i);return o.catch(()=>{}),{done:o}}async read(e,t,n,r,i,a=4){let o=[],s=I-I%a;try{for(let a=0;a<r;a+=s){let c=Math.min(s,r-a),{done:l}=await this.fetch(e,t,n+a,c,e=>i(e,a));o.push(l)}r===0&&await e.submit()}finally{await Promise.allSettled(o)}await Promise.all(o)}async numbers(e,t,n){let r=new Uint32Array(n);return await this.read(e,t,0,n*4,(e,t)=>r.set(new Uint32Array(e,0,Math.min(e.byteLength/4,n-t/4)),t/4)),r}write(e,t){this.device.watch(()=>this.device.gpu.queue.writeBuffer(e,0,t))}bufferOf(e,t,n){return pt(this,{bytes:e.byteLength,into:n},t,async({buffer:t})=>this.write(t,e))}close(){this.memory.close(),this.profile?.close(),this.#e.destroy(),this.nothing.destroy(),this.device.close()}},Et=class{#e;#t=[];constructor(e){this.#e=e}async allocate(e,t){let n=await this.#e.memory.allocate(e,t);return this.#t.push(n),n}free(e){this.#t=this.#t.filter(t=>t!==e),this.#e.memory.free(e)}freeAll(){for(let e of this.#t)this.#e.memory.free(e);this.#t=[]}}})))()}function B(e){return Math.ceil(e/256)}function Dt(e){return Math.min(1024,B(e))}function Ot({shape:e,parts:t},n){let r=t.find(({y1:e})=>e>n);return{part:r,begin:r.offset+(n-Math.max(0,r.y0-1))*V(e)}}async function kt(e,t,n,r,i,a,o){let{shape:s}=n,c=new Et(e);try{let l=i.halo?2:0;if(n.kind===`image`){let a=Mt(e,s,r,i),u=await Pt(c,t,s,i,a+l);for(let e of Nt(n.image,r,i,a))o(u(e));s.channels>1&&!i.raw&&await t.submit();return}let u=V(s),d=(Math.min(i.multiple,r.y1-r.y0)+l)*u,f=Math.min(e.device.bindingBytes,Math.max(Ft,d)),p=At(s,i,r,Math.floor(f/u)-l,e),m=await c.allocate((p+l)*u+4,`pixels`),h=await Pt(c,t,s,i,p+l),g=Math.ceil((r.y1-r.y0)/p),_=0;for(let c=r.y0,l=0;c<r.y1;c+=p){a.signal?.throwIfAborted();let u=Math.min(r.y1,c+p),d=i.halo&&c>0?1:0,f=i.halo&&u<M(s)?1:0,v=await re(n,c-d,u+f,a),y=performance.now();await jt(e,t,v,m,0),_+=performance.now()-y,o(h({y0:c,y1:u,pixels:m,first:d*s.width*s.channels,above:d,under:f})),await t.submit(),a.onProgress?.({stage:`upload`,done:++l,total:g})}e.sent((r.y1-r.y0)*u,_)}finally{c.freeAll()}}function At(e,{multiple:t},n,r,i){let a=r>=n.y1-n.y0?n.y1-n.y0:r-r%t;if(a<1)throw new O(`Expected rows of which ${t} fit ${i.device.bindingBytes} bytes of GPU memory bound at once, got ${e.width} pixels of ${e.channels} x ${e.type}.`);return a}async function jt(e,t,n,r,i){let a=new Uint8Array(n.buffer,n.byteOffset,n.byteLength);for(let n=0;n<a.length;n+=I){let o=a.subarray(n,n+I),s=await e.memory.upload();s.write(o),t.copy(s.buffer,0,r,i+n,Math.ceil(o.length/4)*4);try{await t.submit()}finally{s.remap()}}}function Mt(e,t,n,r){let i=V(t);return At(t,r,n,Math.floor((e.device.bindingBytes-512)/i)-(r.halo?2:0),e)}function*Nt(e,t,n,r){let{shape:i}=e,{width:a,channels:o,type:s}=i,c=V(i);for(let l=t.y0;l<t.y1;){let{part:u,begin:d}=Ot(e,l),f=Math.min(t.y1,u.y1,l+r),p=n.halo&&l>0?1:0,m=n.halo&&f<M(i)?1:0,h=d-p*c,g=h-h%256,_=Math.min(u.buffer.size,Math.ceil((h+(f-l+p+m)*c)/4)*4),v=(h-g)/A[s]+p*a*o;yield{y0:l,y1:f,above:p,under:m,first:v,pixels:{buffer:u.buffer,offset:g,size:_-g}},l=f}}async function Pt(e,t,{width:n,channels:r,type:i},{any:a=!1,raw:o=!1},s){if(r===1||o)return e=>e;let c=await e.allocate(s*n*A[i]+4,`luma`);return({y0:e,y1:o,pixels:s,first:l,above:u,under:d})=>{let f=(o-e+u+d)*n,p=i===`u8`?4:i===`f32`?1:2;return t.stage(`luma`,f*(r+1)*A[i]),t.dispatch(`image-luma`,B(Math.ceil(f/p)),{pixels:s,luma:c},{pixels:f,first:l-u*n*r,zero:0},{TYPE:j[i],CHANNELS:r,ANY:a}),{y0:e,y1:o,pixels:c,first:u*n}}}var Ft,V;function H(){return(H=e((()=>{k(),w(),N(),z(),L(),Ft=16<<20,V=({width:e,channels:t,type:n})=>e*t*A[n]})))()}async function It(e,{shape:t,data:n},r){let{width:i,channels:a}=t,o=M(t),s=i*a,c=V(t),l=Math.floor((e.device.gpu.limits.maxBufferSize-4)/c),u=l>=o?o:l-2-(l-2)%qt;if(u<1)throw new O(`Expected ${qt} rows to fit one GPU buffer, got ${i} pixels per row.`);let d=new Et(e);try{let i=[];return await e.timed(r,`load`,n.byteLength,async()=>{for(let t=0;t<o;t+=u){r.signal?.throwIfAborted();let a=Math.min(o,t+u),l=Math.max(0,t-1),f=Math.min(o,a+1),p=await d.allocate((f-l)*c+4,`image`),m=oe(n,l*s,f*s);await jt(e,e.commands(),m,p,0),i.push({y0:t,y1:a,buffer:p,offset:0}),r.onProgress?.({stage:`load`,done:a,total:o})}}),{shape:t,parts:i,dispose:()=>d.freeAll()}}catch(e){throw d.freeAll(),e}}async function Lt(e,t,n,r){if(t.kind===`image`)return r(t.image);let i=await It(e,t,n);return r(i).finally(()=>i.dispose())}function Rt(e){return e.kind!==`source`&&(e.kind===`array`||Jt(e).length===1)}function zt({shape:e,parts:[t]}){let n=t.offset%256,r=Math.ceil((n+V(e)*M(e))/4)*4;return{pixels:{buffer:t.buffer,offset:t.offset-n,size:r},lead:n}}async function Bt(e,t,n){let r=M(t),i=new Et(e);try{let e=await i.allocate(Math.ceil(V(t)*r/4)*4+4,`image`);return await n(e),{shape:t,parts:[{y0:0,y1:r,buffer:e,offset:0}],dispose:()=>i.freeAll()}}catch(e){throw i.freeAll(),e}}async function Vt(e,t,n){if(`texture`in t)return Ut(e,t.texture,n);let{buffer:r,offset:i=0}=t,a=n.width*M(n)*n.channels*A[n.type];if(!(r.usage&F.STORAGE))throw new ye(`Expected a GPUBuffer of usage STORAGE, got one without.`,{argument:`buffer`});if(i%4!=0||i+a>r.size)throw new ye(`Expected ${a} bytes of pixels at a multiple of 4 in the GPUBuffer, got ${r.size} bytes and offset ${i}.`,{argument:`buffer`});return{shape:n,parts:[{y0:0,y1:M(n),buffer:r,offset:i}],dispose:()=>{}}}function Ht({format:e,width:t,height:n,depthOrArrayLayers:r,dimension:i}){let a=Yt[e];if(!a||i!==`2d`||r!==1)throw new ye(`Expected a 2-D GPUTexture of the format ${Object.keys(Yt).join(`, `)}, got ${i} ${e}.`,{argument:`texture`});return{width:t,height:n,depth:1,...a}}function Ut(e,t,n){let r=V(n),i=Math.ceil(r/256)*256,a=r*n.height;return Bt(e,n,o=>R(e,async s=>{let c=await s.allocate(i*n.height,`texture`),l=e.commands();l.encode(e=>e.copyTextureToBuffer({texture:t},{buffer:c,bytesPerRow:i},[n.width,n.height]));let u=Math.ceil(a/4);l.dispatch(`image-unpitch`,B(u),{pitched:c,pixels:o},{rowBytes:r,pitch:i,bytes:a}),await l.submit()}))}async function Wt(e,t,n,r,i){if(t.usage&F.COPY_SRC)return e.read(e.commands(),t,n,r,i);let a=n-n%256;await R(e,async o=>{let s=Math.min(e.device.bindingBytes,n+r-a),c=await o.allocate(s,`copy`);for(let o=a;o<n+r;o+=s){let a=Math.min(s,n+r-o),l=Math.max(0,n-o),u=e.commands(),d={pitched:{buffer:t,offset:o,size:a},pixels:{buffer:c,offset:0,size:a}};u.dispatch(`image-unpitch`,B(a/4),d,{rowBytes:a,pitch:a,bytes:a}),await e.read(u,c,l,a-l,(e,t)=>i(e,o+l-n+t))}})}async function Gt(e,{image:t},n){let r=t,{shape:i,parts:a}=r,o=V(i);for(let{y0:t,y1:i,buffer:s}of a){let{begin:a}=Ot(r,t),c=a%4,l=(i-t)*o,u=Math.ceil((l+c)/4)*4;await Wt(e,s,a-c,u,(e,r)=>{let a=r===0?c:0,s=t*o+r+a-c,l=i*o-s,u=new Uint8Array(e,a,Math.min(e.byteLength-a,l));if(n.byteLength<s+u.length)throw De();new Uint8Array(n.buffer,n.byteOffset+s,u.length).set(u)})}return n}async function Kt(e,{image:t},n){let r=t,{shape:i}=r,a=V(i),o=Math.ceil((a+256)/256)*256,s=we(i.type,n.length*i.width*i.channels),c=new Uint8Array(s.buffer);return await R(e,async t=>{let i=await t.allocate(n.length*o,`rows`),s=e.commands(),l=n.map((e,t)=>{let{part:n,begin:c}=Ot(r,e),l=c%256,u=Math.ceil((l+a)/4)*4,d={buffer:n.buffer,offset:c-l,size:u},f={buffer:i,offset:t*o,size:u},p={rowBytes:u,pitch:u,bytes:u};return s.dispatch(`image-unpitch`,B(u/4),{pitched:d,pixels:f},p),l}),u=new Uint8Array(n.length*o);await e.read(s,i,0,u.length,(e,t)=>u.set(new Uint8Array(e),t));for(let[e,t]of l.entries())c.set(u.subarray(e*o+t,e*o+t+a),e*a)}),s}var qt,Jt,Yt;function Xt(){return(Xt=e((()=>{k(),N(),H(),z(),et(),qt=64,Jt=({image:e})=>e.parts,Yt={r8unorm:{type:`u8`,channels:1},r8uint:{type:`u8`,channels:1},rgba8unorm:{type:`u8`,channels:4},"rgba8unorm-srgb":{type:`u8`,channels:4},rgba8uint:{type:`u8`,channels:4},r16uint:{type:`u16`,channels:1},r16sint:{type:`i16`,channels:1},r32float:{type:`f32`,channels:1}}})))()}function Zt(e,t,n){let{shape:r}=t;if(!Rt(t))return!1;let{bindingBytes:i}=e.device,a=M(r);return V(r)*a+256+4<=i&&r.width*a*n+4<=i}function Qt(e,t,n){let{type:r}=t.shape;return Zt(e,t,A[r])&&(n!==void 0||Ce(r))}function $t(e,t){return Zt(e,t,A.f32)}function en(e,t,n,r){let{type:i,channels:a,width:o}=t.shape,s=o*M(t.shape),c={...t.shape,channels:1},l=A[i],u=B(Math.ceil(s/(4/l))),d=n??(a===1?0:void 0);return nn(e,t,c,`channel`,r,(e,t,n,r)=>{if(d===void 0){let o={pixels:t,luma:r},c={TYPE:j[i],CHANNELS:a,ANY:!1};e.dispatch(`image-luma`,u,o,{pixels:s,first:n,zero:0},c)}else{let i={pixels:s,first:n,which:d},o={BYTES:l,CHANNELS:a};e.dispatch(`image-channel`,u,{pixels:t,plane:r},i,o)}})}function tn(e,t,{entries:n},r){let{type:i,channels:a,width:o}=t.shape,s=o*M(t.shape),c={...t.shape,type:`f32`,channels:1};return R(e,async o=>{let l=await o.allocate(n.byteLength,`entries`);return e.write(l,n),nn(e,t,c,`stain`,r,(e,t,n,r)=>{let o={pixels:t,entries:l,amounts:r},c={BYTES:A[i],CHANNELS:a};e.dispatch(`image-stain`,Math.ceil(s/rn),o,{pixels:s,first:n},c)})})}function nn(e,t,n,r,i,a){let o=t.shape,s=(V(o)+V(n))*M(n);return Bt(e,n,n=>Lt(e,t,i,t=>e.timed(i,r,s,async()=>{let{pixels:i,lead:c}=zt(t),l=e.commands();l.stage(r,s),a(l,i,c/A[o.type],n),await l.submit()})))}var rn;function an(){return(an=e((()=>{k(),H(),z(),Xt(),rn=4096})))()}function on(e,{width:t,words:n},r,{y0:i,y1:a},o,s=r.labels,c=r.planes.map((e,t)=>t)){let l=(a-i)*t,u=t%4==0,d=u?l/4:l;for(let[a,l]of c.entries()){let{segments:c,tileTable:f}=r.planes[l];e.dispatch(u?`labels-expand`:`labels-expand-pixels`,B(d),{bits:r.bits[l],segments:c,tileTable:f,map:s,labels:o},{width:t,words:n,tileColumns:r.tileColumns,row:i-r.y0,total:d},{SECOND:a>0,CELL:r.cell})}}async function sn(e,{planes:t,strips:n},r,i){let a=n.find(e=>e.y1>i);return R(e,async n=>{let o=await n.allocate(t.width*4,`a row of labels`),s=e.commands();on(s,t,a,{y0:i,y1:i+1},o);let c=0;return await e.read(s,o,r*4,4,e=>{c=new Uint32Array(e,0,1)[0]}),c})}async function cn(e,t,n,r){let{planes:i,strips:a}=t,{width:o,rows:s}=i;await e.timed(r,`labels`,o*s*4,()=>R(e,async t=>{let c=Math.min(I,e.device.bindingBytes),l=Math.max(1,Math.floor(c/(o*4))),u=await t.allocate(Math.min(l,s)*o*4,`labels`),d=n instanceof Uint32Array?void 0:new Uint32Array(Math.min(l,s)*o),f=new ne,p=!1,m=[];try{for(let t of a)for(let a=t.y0;a<t.y1&&!p;a+=l){r.signal?.throwIfAborted();let c=Math.min(t.y1,a+l),h=e.commands();h.stage(`expand`,(c-a)*o*4),on(h,i,t,{y0:a,y1:c},u);let g=(c-a)*o*4;for(let t=0;t<g;t+=I){let r=Math.min(I,g-t),{done:s}=await e.fetch(h,u,t,r,e=>{let s=new Uint32Array(e,0,r/4);return n instanceof Uint32Array?ve(n,s,a*o+t/4):f.write(Promise.resolve(),async()=>{let e=d;e.set(s,t/4),t+r===g&&await ue(n,i,a,e.subarray(0,g/4))})});s.catch(()=>{p=!0}),m.push(s)}r.onProgress?.({stage:`labels`,done:c,total:s}),e.profile?.full&&(await Promise.all(m),r.timings.push(...await e.profile.collect()))}}finally{await Promise.allSettled(m)}await Promise.all(m)}))}async function ln(e,t,n,r){let{planes:i,strips:a}=t,{width:o,rows:s}=i,c=o*s*4;return pt(e,{bytes:c,into:n},`labels`,({buffer:t,size:n})=>e.timed(r,`labels`,c,async()=>{let r=e.commands();r.stage(`expand`,c);let l=Math.floor(e.device.bindingBytes/(o*4)),u=l>=s?s:l-l%64;if(u<1||a.some(({y0:e})=>e*o%64!=0))throw new O(`Expected 64 rows of labels to fit one binding, got ${o} pixels per row; read them.`);for(let e of a)for(let a=e.y0;a<e.y1;a+=u){let s=Math.min(e.y1,a+u),c=a*o*4,l=Math.min(Math.ceil((s-a)*o*4/16)*16,n-c);on(r,i,e,{y0:a,y1:s},{buffer:t,offset:c,size:l})}await r.submit()}))}function un(){return(un=e((()=>{k(),w(),N(),H(),z(),L()})))()}async function dn(e,t,n,r,i){let{width:a,height:o,depth:s}=n,c=s>1?o:1,l=await R(e,async t=>{let i=await t.allocate(c*a*4,`rows of labels`),o=async(t,r)=>{let o=[];for(let s of t.planes.keys()){let l=e.commands();on(l,n,t,{y0:r,y1:r+c},i,t.map,[s]),o.push(await e.numbers(l,i,c*a))}return o},s=[];for(let e=1;e<r.length;e++){let[t,n]=[r[e-1],r[e]];s.push({above:await o(t,t.y1-c),below:await o(n,n.y0)})}return s}),u=r.map(e=>e.count),d=[];u.reduce((e,t,n)=>(d[n]=e,e+t),0);function*f(){for(let[e,{above:t,below:n}]of l.entries())for(let[r,o]of n.entries())yield*Ge({labels:t[r],first:d[e]},{labels:o,first:d[e+1]},a,i)}let{bases:p,joined:m,count:h}=Ke(u,Ve(f())),g=[];for(let[n,i]of r.entries()){let r=m[n],a=await t.allocate(i.nodes*4,`labels of components`),o=p[n];await R(e,async t=>{let n=await t.allocate(r.byteLength,`joined components`);e.write(n,r);let s=e.commands(),c={nodes:i.nodes,base:o,joined:r.length/2};s.dispatch(`labels-relabel`,Dt(i.nodes),{map:i.map,joined:n,labels:a},c),await s.submit()}),g.push({...i,labels:a,base:o,joined:r})}return{strips:g,count:h}}function*fn({base:e,joined:t},n,r){let i=0;for(;2*i<t.length&&t[2*i]<n;)i++;for(let a=n;a<r;){let n=2*i<t.length?t[2*i]:r;if(n===a)yield{component:a,label:t[2*i+1],length:1,fresh:!1},i++,a++;else{let t=Math.min(n,r)-a;yield{component:a,label:e+a-i,length:t,fresh:!0},a+=t}}}function pn(){return(pn=e((()=>{Ye(),H(),z(),un()})))()}async function mn(e,t,n){return hn(await e.numbers(t,n,8))}function hn(e){let t=Object.entries(gn).map(([t,n])=>[t,e[n]??0]);return Object.fromEntries(t)}var gn,_n,vn,yn;function bn(){return(bn=e((()=>{gn={nodes:0,components:1,pixels:2,runs:3,firstNodes:4},_n=e=>e.allocate(32,`counters`),vn=(e,t)=>e.clear(t,0,32),yn=(e,t,n)=>e.copy(t,0,n,gn.firstNodes*4,4)})))()}function xn(e){return e===8||e>=18}function Sn({height:e,depth:t},n){return xn(n)&&(t===1||e%2==0)?2:1}function Cn(e,t,n){let{width:r,height:i,depth:a}=t,o=M(t),s=Math.ceil(r/32)*32*2*n,{bindingBytes:c}=e.device,l=Math.floor(c/s),u=l>=o?o:l-l%(a>1?i:l>=Ln?Ln:2);if(u<1)throw new O(`Expected ${a>1?`a volume`:`an image`} of which ${a>1?`a slice takes`:`two rows take`} at most ${c} bytes of GPU memory, got ${fe(t)}.`);let d=[];for(let e=0;e<o;e+=u)d.push({y0:e,y1:Math.min(o,e+u)});return d}function wn(e,{width:t,height:n,depth:r},i){return Math.ceil(t/32)*64*i*n*r<=e.device.bindingBytes}function Tn(e,t,n){return t.depth===1||wn(e,{...t,depth:1},n)}async function U(e,{width:t,height:n,depth:r},i,a){let o=Math.ceil(t/32),s=[],c={width:t,height:n,depth:r,rows:n*r,words:o,strips:s};try{for(let t of Cn(e,c,i)){let n=[];s.push({...t,bits:n});for(let r=0;r<i;r++)n.push(await e.memory.allocate((t.y1-t.y0+2)*o*4,`bits`))}return await a(c),c}catch(t){throw W(e,c),t}}function W(e,{strips:t}){for(let{bits:n}of t)for(let t of n)e.memory.free(t)}function En({words:e},{y0:t,y1:n}){return(n-t)*e*4}function G(e,{words:t,strips:n}){let r=t*4;for(let[t,{y0:i,y1:a,bits:o}]of n.entries()){let s=(a-i+1)*r;for(let[i,a]of o.entries()){let o=n[t-1],c=n[t+1];o?e.copy(o.bits[i],(o.y1-o.y0)*r,a,0,r):e.clear(a,0,r),c?e.copy(c.bits[i],r,a,s,r):e.clear(a,s,r)}}}function K(e,t){return t===`i16`?e+32768:t===`f32`?Dn(e):e}function Dn(e){let t=new Uint32Array(Float32Array.of(e===0?0:e).buffer)[0];return(t&2147483648?~t:t|2147483648)>>>0}async function On(e,t,n,r,i,a){let{width:o,type:s}=n.shape,{words:c}=i,{except:l}=r,[u,d=u]=r.intervals;if(!u||!d)throw Error(`a predicate has a class`);let f=r.intervals.length,p={lo:K(u.lo,s),hi:K(u.hi,s),invert:u.invert?4294967295:0,excepting:+(l!==void 0),except:K(l??0,s),lo2:K(d.lo,s),hi2:K(d.hi,s),invert2:d.invert?4294967295:0};for(let u of i.strips){let[i,d]=u.bits,m=d??e.nothing;await kt(e,t,n,u,{multiple:1,halo:!1,any:r.any},a,({y0:e,y1:n,pixels:r,first:a})=>{let d=n-e;t.stage(`pack`,d*(o*A[s]+c*4*f));let h={width:o,words:c,rows:d,first:a,row:e-u.y0+1,...p};if(s===`u8`&&o%32==0&&a%16==0&&l===void 0){let e=Math.ceil(d*c/128);t.dispatch(`mask-pack-bytes`,e,{pixels:r,bits:i,bits2:m},h,{CLASSES:f})}else{let e={pixels:r,bits:i,bits2:m};t.dispatch(`mask-pack`,B(d*c),e,h,{TYPE:j[s],CLASSES:f})}})}G(t,i)}async function kn(e,t,n,r){let{width:i,words:a}=r;for(let o of r.strips)for(let[s,c]of o.bits.entries()){let l=s===0?n.bits:n.second;await jt(e,t,oe(l,o.y0*a,o.y1*a),c,a*4),i%32!=0&&await An(e,t,c,r,o)}G(t,r)}async function An(e,t,n,{width:r,words:i},{y0:a,y1:o}){let s=(o-a+1)*i,c=4294967295>>>i*32-r;await R(e,async e=>{let r=await e.allocate(s*4,`bits`);for(let[e,a]of[[n,r],[r,n]]){let n={bits:e,bits2:e,result:a};t.dispatch(`mask-combine`,B(s),n,{words:i,total:s,tail:c},{NEITHER:!0})}await t.submit()})}async function jn(e,t,n,r){let{words:i}=t,a=n===2?[1]:n===1?[0]:[0,1];for(let{y0:o,y1:s,bits:c}of t.strips)for(let t of a){let a=c[t];if(!a)continue;let l=e.commands(),u=n===0&&t===1;await e.read(l,a,i*4,(s-o)*i*4,(e,t)=>{let n=o*i+t/4,a=new Uint32Array(e,0,Math.min(e.byteLength/4,s*i-n));if(!u)r.set(a,n);else for(let e=0;e<a.length;e++)r[n+e]=r[n+e]|a[e]})}}async function Mn(e,t,n,r){let{words:i,strips:a}=t;for(let o of a)await R(e,async a=>{let s=e.commands(),c=await Nn(a,s,t,o,n);await e.read(s,c,0,En(t,o),(e,t)=>{let n=o.y0*i+t/4;r.set(new Uint32Array(e,0,Math.min(e.byteLength/4,o.y1*i-n)),n)})})}async function Nn(e,t,n,r,i){let{width:a,height:o,depth:s,words:c,rows:l,strips:u}=n,d=(r.y1-r.y0)*c,f=await e.allocate(d*4,`surface`),p=u.length>1&&s>1,m=p?Math.max(0,r.y0-o):r.y0-1,h=p?Math.min(l,r.y1+o):r.y1,g=[];for(let[i,a]of r.bits.entries()){let r=p?await e.allocate((h-m)*c*4,`bits`):a;g.push(p?Pn(t,n,i,{y0:m,y1:h},r):r)}let[_,v=_]=g,y={width:a,words:c,total:d,row:r.y0,first:(r.y0-m)*c,height:o,depth:s,border:Number(i)};return t.dispatch(`mask-surface`,B(d),{bits:_,bits2:v,surface:f},y),f}function Pn(e,{words:t,strips:n},r,i,a,o=0){for(let{y0:s,y1:c,bits:l}of n){let[n,u]=[Math.max(s,i.y0),Math.min(c,i.y1)];if(n>=u)continue;let d=(n-s+1)*t*4;e.copy(l[r],d,a,(o+(n-i.y0)*t)*4,(u-n)*t*4)}return a}function Fn(e,t,n,r){return pt(e,{bytes:t.words*t.rows*4,into:r},`bits`,({buffer:r})=>In(e,t,n,r))}async function In(e,t,n,r){let{words:i,strips:a}=t,o=e.commands();for(let s of a){let[a,c]=s.bits,l=En(t,s),u=e=>o.copy(e,i*4,r,s.y0*i*4,l);n!==0||!c?u(n===2?c:a):await R(e,async e=>{let t=await e.allocate(l+i*4,`bits`),n=l/4+i,r={words:i,total:n,tail:4294967295};o.dispatch(`mask-combine`,B(n),{bits:a,bits2:c,result:t},r),u(t),await o.submit()})}await o.submit()}var Ln;function q(){return(q=e((()=>{k(),N(),H(),z(),L(),Ln=64})))()}function Rn(e,{y0:t,y1:n},r){let{words:i,height:a,depth:o}=e,s=Math.ceil(i/4),c=Sn(e,r),l=Math.ceil((n-t)/(32*c)),u=o>1?a:0,d=Number(xn(r));return{words:i,height:n-t,tileColumns:s,tiles:s*l,cell:c,slice:u,wide:d}}async function J(e,t,n,r,i,a){let o=new Et(e),s=()=>{o.freeAll(),W(e,n)};try{return{planes:n,connectivity:r,...await R(e,async s=>{let c={counters:await _n(s),split:await s.allocate(256,`counters`)},l=[],u={foreground:0,runCount:0};for(let s of n.strips){i.signal?.throwIfAborted();let{labelled:d,pixels:f}=await zn(e,o,t,n,s,r,c,a);l.push(d),u.foreground+=f,u.runCount+=d.runs,i.onProgress?.({stage:`label`,done:l.length,total:n.strips.length})}return l.length===1?{strips:l,count:l[0].count,...u}:{...await dn(e,o,n,l,r),...u}}),free:s}}catch(e){throw s(),e}}async function zn(e,t,n,r,i,a,o,s){let c=Rn(r,i,a),{cell:l}=c,u=await Vn(t,i,c);for(let r=Bn(c);;){let d=await t.allocate(r*4,`components`),{nodes:f,components:p,pixels:m,runs:h,firstNodes:g}=await R(e,async t=>{let l=await Hn(t,u,d,c,r);return Wn(n,i,l,c,a,o),s?.(n,i,l),i.bits.length>1&&yn(n,o.split,o.counters),mn(e,n,o.counters)});if(f<=r)return{labelled:{...i,planes:u,map:d,labels:d,nodes:f,runs:h,count:p,base:0,joined:new Uint32Array,firstNodes:g,tileColumns:c.tileColumns,tiles:c.tiles,cell:l},pixels:m};t.free(d),r=f}}function Bn({words:e,height:t}){return Math.max(4096,e*t*4)}async function Vn(e,{bits:t},n){let r=[];for(let i of t)r.push({segments:await e.allocate(n.words*Math.ceil(n.height/n.cell)*32,`segments`),tileTable:await e.allocate(n.tiles*16,`tiles`)});return r}async function Hn(e,t,n,r,i){let a=r.words*r.height;return{planes:t,map:n,capacity:i,parents:await e.allocate(i*4,`parents`),firsts:await e.allocate(i*4,`first pixels`),...await Un(e,a)}}async function Un(e,t){return{marks:await e.allocate(t*4,`marks`),ranks:await e.allocate(Math.ceil(t/8)*4,`ranks`),blocks:await e.allocate(Math.ceil(t/qn)*12,`ranks`)}}function Wn(e,t,n,r,i,a){let{planes:o,map:s,firsts:c,marks:l,ranks:u,blocks:d,capacity:f}=n,{counters:p}=a;Gn(e,t,n,r,i,a),Kn(e,{marks:l,ranks:u,blocks:d,counters:p},r.words*r.height,o,r.tiles),e.dispatch(`components-number`,Dt(f),{counters:p,marks:l,ranks:u,blocks:d,firsts:c,map:s},{capacity:f})}function Gn(e,{bits:t},{planes:n,map:r,parents:i,firsts:a,marks:o,capacity:s},c,l,{counters:u,split:d},f=!0){let{words:p,height:m,tileColumns:h,tiles:g,slice:_,wide:v,cell:y}=c,b=p*m*4,x={words:p,height:m,tileColumns:h,tiles:g,slice:_,wide:v,capacity:s};e.clear(u,0,4);for(let[r,{segments:s,tileTable:c}]of n.entries()){let S={bits:t[r],segments:s,tileTable:c};e.stage(`label tiles`,b*3),e.dispatch(`components-label-tiles`,g,{...S,parents:i,firsts:a,marks:o,counters:u},x,{CELL:y}),r===0&&n.length>1&&e.copy(u,0,d,0,4);let C=(g/h-1)*p,w=C+(h-1)*Math.ceil(m/y);if(e.stage(`join tiles`,0),e.dispatch(`components-join-tiles`,B(w),{...S,firsts:a,parents:i},{words:p,height:m,tileColumns:h,horizontal:C,total:w,slice:_,wide:v},{CELL:y,ORDERED:f}),_===0||m===_||l===4||l===8)continue;let T=l===26?y:1,E=(m-_)/T*p;e.stage(`join slices`,b*5),e.dispatch(`components-join-slices`,B(E),{...S,firsts:a,parents:i},{words:p,total:E,tileColumns:h,slice:_,connectivity:l},{CELL:y,ORDERED:f})}e.stage(`number`,b*3),e.dispatch(`components-flatten`,Dt(s),{counters:u,parents:i,firsts:a,roots:r,marks:o},{capacity:s})}function Kn(e,{marks:t,ranks:n,blocks:r,counters:i},a,o,s){let c=Math.ceil(a/qn),l=o[0]?.tileTable??i,u=o[1]?.tileTable??l;e.dispatch(`components-rank`,c,{marks:t,tileTable:l,tileTable2:u,ranks:n,blocks:r},{words:a,tiles:s,tilesPerBlock:Math.ceil(s/c),planes:o.length}),e.dispatch(`components-rank-total`,1,{blocks:r,counters:i},{blocks:c})}var qn;function Y(){return(Y=e((()=>{H(),pn(),bn(),z(),q(),qn=2048})))()}async function Jn({gpu:e,software:t}){let n=e??await se(t);if(typeof n==`string`)return new O(n);let r=await n.requestAdapter({powerPreference:`high-performance`});if(!r)return new O(`WebGPU found no adapter in this process.`);let i=Xn(r.info);if(i.software&&!t)return new O(`Expected a hardware GPU, but WebGPU found only ${i.description}, which runs on the CPU.`);let a=Zn.filter(e=>r.features.has(e)),o=Object.fromEntries(Qn.map(e=>[e,r.limits[e]]));return{device:await r.requestDevice({label:`skerry`,requiredFeatures:a,requiredLimits:o}),info:i,root:n}}function Yn({lost:e}){return Promise.race([e.then(()=>!0),new Promise(e=>{setTimeout(()=>e(!1),0)})])}function Xn(e){let{vendor:t=``,architecture:n=``,device:r=``,description:i=``}=e??{};return{vendor:t,architecture:n,description:i||r||[t,n].filter(Boolean).join(` `)||`an unnamed adapter`,software:e?.isFallbackAdapter??!1}}var Zn,Qn,$n,er,tr;function nr(){return(nr=e((()=>{N(),Zn=[`timestamp-query`],Qn=[`maxBufferSize`,`maxStorageBufferBindingSize`],$n=new Set,er=class e{gpu;adapter;#e;#t;#n;#r;#i;#a=[];constructor(e,t,n,r){this.gpu=e,this.adapter=t,n&&$n.add(n),this.#t=n!==void 0;let{maxStorageBufferBindingSize:i,maxBufferSize:a}=e.limits,o=Math.min(i,a,r??1/0);this.#e=o-o%256,this.#r=e.lost.then(({message:e,reason:t})=>{throw this.#n??=new Se(`The GPU device was ${t===`destroyed`?`closed`:`lost`}${e?`: ${e}`:`.`}`),this.#n}),this.#r.catch(()=>{}),this.#t&&e.addEventListener(`uncapturederror`,e=>{this.#i??=Error(`WebGPU refused a command: ${e.error.message}`)})}watch(e){this.gpu.pushErrorScope(`validation`);try{e()}catch(e){throw e instanceof TypeError?tr(e.message):e}finally{this.#a.push(this.gpu.popErrorScope())}}async checked(){let[e]=(await this.orLost(Promise.all(this.#a.splice(0)))).filter(e=>e!==null),t=this.#i;if(this.#i=void 0,e)throw tr(e.message);if(t)throw t}static async open({gpu:t,software:n,bindingBytes:r}){if(t&&`queue`in t){if(await Yn(t))return new O(`Expected an open GPUDevice, got one that is lost.`);let n=`adapterInfo`in t?Xn(t.adapterInfo):Xn(void 0);return new e(t,n,void 0,r)}let i=await Jn({gpu:t,software:n});return i instanceof O?i:new e(i.device,i.info,i.root,r)}get lost(){return this.#n}get bindingBytes(){return this.#e}async withSmallerBindings(e){let t=this.#e,n=Math.max(65536,t/8);this.#e=Math.min(t,n-n%256);try{return await e()}finally{this.#e=t}}async orLost(e){if(this.#n)throw this.#n;try{return await Promise.race([e,this.#r])}catch(e){throw await new Promise(e=>setTimeout(e,0)),this.#n??e}}close(){this.#n??=new Se(`The engine was closed.`),this.#t&&this.gpu.destroy()}},tr=e=>new ye(`Expected GPUBuffers and GPUTextures of the engine's device that are neither destroyed nor mapped, but WebGPU refuses a command: ${e}`)})))()}function rr({device:e},{width:t,height:n,depth:r},i,{memory:a}){return Math.ceil(t/64)*64*n*r*4<=e.bindingBytes&&t<=Sr&&Math.max(n,r)<=Cr&&!i.coarse&&a===void 0}function ir({data:e,nearest:t}){return ArrayBuffer.isView(e)&&(!t||ArrayBuffer.isView(t))}async function ar(e,t,n,r,i){await or(e,t,n,r,i,!1),r.signed&&await or(e,t,n,{...r,invert:!r.invert},i,!0)}async function or(e,t,n,r,{values:i,nearest:a},o){let{width:s,words:c,rows:l,depth:u}=n,[d,f]=u>1?[n.height,u]:[1,n.height],[p,m,h]=r.weights,g=c+c%2,_=g*16,v=u>1?h:m,y=Math.max((d+pr)*m,(f+pr)*v)**2,b=r.kind!==`f32`&&r.limit+y<vr,x=r.kind===`f32`||b,S=xr[r.metric],C=b&&r.metric===`euclidean`,w=a!==void 0,T=await e.allocate(256,`nothing`),E=e=>x?lr(e):e,D={width:s,pitch:_,height:d,stepX:E(p),limit:E(r.limit),unit:lr(r.unit),far:lr(r.far)},{bits:ee,first:te}=await cr(e,t,n,r),ne=await e.allocate(l*_*4,`steps along rows`);t.stage(`rows`,l*_*4);let re=l*g;t.dispatch(`distance-rows`,Math.ceil(re/64),{bits:ee,steps:ne},{words:c,padded:g,total:re,first:te,reach:r.reach[0]},{SIDES:w});let ie=ne,O=T,k=yr.steps;if(u>1){let n=await e.allocate(l*_*8,`costs of slices`),i=w?await e.allocate(l*_*8,`nearest sites`):T;await sr(e,t,{stage:`columns`,bytes:l*_*12},{costs:ie,result:n,features:ne,nearest:i},{...D,columns:_,planes:f,plane:d*_,stride:_,sites:d},{weight:E(m),reach:r.reach[1]},{INPUT:k,OUTPUT:br.costs,FLOAT:x,METRIC:S,WHOLE:C,NEAREST:w,MINUS:!1}),ie=n,O=i,k=yr.costs}let ae=r.reach[u>1?2:1];await sr(e,t,{stage:`slices`,bytes:l*_*8+l*s*4},{costs:ie,result:i,features:O===T?ie:O,nearest:a??T},{...D,columns:d*_,planes:1,plane:0,stride:d*_,sites:f},{weight:E(v),reach:ae},{INPUT:k,OUTPUT:r.output===`distance`?br.distance:br.squared,FLOAT:x,METRIC:S,WHOLE:C,NEAREST:w,MINUS:o})}async function sr(e,t,n,r,i,a,o){let{columns:s,planes:c,sites:l}=i,u=a.reach<=_r?mr:pr,d=Math.ceil((l-1)/u)+1,f=await e.allocate(s*c*d*4,`places`),{INPUT:p,FLOAT:m,METRIC:h}=o,{costs:g}=r,_=Math.ceil(l/hr),v=p===yr.steps&&Math.min(l,a.reach)>gr,y=v?await e.allocate(s*c*_*4,`lowest costs`):g,b={...i,...a,stops:d,stretch:u,blocks:_},x={INPUT:p,FLOAT:m,METRIC:h};t.stage(`search`,0),v&&t.dispatch(`distance-lows`,B(s*c*_),{costs:g,lows:y},b,x);let S={costs:g,found:f,lows:y};t.dispatch(`distance-search`,B(s*c*d),S,b,{...x,LOWS:v});let C=Math.ceil(s*c*Math.max(1,d-1)/64);t.stage(n.stage,n.bytes),t.dispatch(`distance-columns`,C,{...r,found:f},b,{...o,STRETCH:u})}async function cr(e,t,n,{surface:r,invert:i,only:a}){let{width:o,words:s,rows:c,strips:l}=n,[u]=l;if(!u)throw Error(`planes have a strip`);let d=a?{...u,bits:[u.bits[a-1]]}:u,[f,p=f]=d.bits;if(r)return{bits:await Nn(e,t,n,d,!1),first:0};if(!i&&p===f)return{bits:f,first:s};let m=await e.allocate((c+2)*s*4,`bits`),h=(c+1)*s,g=4294967295>>>s*32-o;return t.dispatch(`mask-combine`,B(h),{bits:f,bits2:p,result:m},{words:s,total:h,tail:g},{NEITHER:i}),{bits:m,first:s}}function lr(e){return new Uint32Array(Float32Array.of(e).buffer)[0]}async function ur(e,t,n,r,i){let{width:a,rows:o}=t,s=a*o*4,{data:c}=r;pe(c)?c.buffer=await fr(e,t,n,c.buffer):await R(e,async a=>{let o=await a.allocate(s,`distances`),l=n.nearest?await a.allocate(s,`nearest sites`):void 0,u=e.commands();await ar(a,u,t,n,{values:o,nearest:l}),await u.submit();let d=n.output===`distance`?Float32Array:Uint32Array;await dr(e,t,o,c,d,i,`distance`),l&&r.nearest&&await dr(e,t,l,r.nearest,Uint32Array,i,`distance`)})}async function dr(e,{width:t,height:n,depth:r},i,a,o,{signal:s,onProgress:c},l){let u=n*r,d=ArrayBuffer.isView(a)?u:Math.max(1,Math.floor(I/(t*4))),f=ArrayBuffer.isView(a)?a:new o(d*t);for(let p=0;p<u;p+=d){s?.throwIfAborted();let m=Math.min(d,u-p)*t;await e.read(e.commands(),i,p*t*4,m*4,(e,t)=>{let n=new o(e,0,Math.min(e.byteLength/4,m-t/4));ve(f,n,t/4)}),ArrayBuffer.isView(a)||await ue(a,{width:t,height:n,depth:r},p,f.subarray(0,m)),c?.({stage:l,done:Math.min(p+d,u),total:u})}}function fr(e,t,n,r){return pt(e,{bytes:t.width*t.rows*4,into:r},`distances`,r=>R(e,async i=>{let a=e.commands();await ar(i,a,t,n,{values:r,nearest:void 0}),await a.submit()}))}var pr,mr,hr,gr,_r,vr,yr,br,xr,Sr,Cr;function wr(){return(wr=e((()=>{me(),k(),w(),H(),z(),L(),q(),pr=128,mr=32,hr=32,gr=1024,_r=64,vr=2**24,yr={steps:0,costs:1},br={costs:0,distance:2,squared:3},xr={euclidean:0,cityblock:1,chessboard:2},Sr=32766,Cr=65535})))()}function Tr(e,t,n,r,i,a){return U(e,n.shape,1,async o=>{let s=o.strips.length===1;s&&G(t,o);for(let[s,{bits:c}]of o.strips.entries()){let l=i?.strips[s]?.bits[0];await Er(e,t,n,o,s,r,{bits:c[0],fence:l},a)}s||G(t,o)})}async function Er(e,t,n,r,i,a,{bits:o,fence:c},l,u){let{width:d,channels:f,type:p}=n.shape,{words:m}=r,h=r.strips[i],g=Dr(a,p,u!==void 0);await kt(e,t,n,h,{multiple:1,halo:u?.up===1,raw:!0},l,({y0:n,y1:r,pixels:i,first:l})=>{let _=r-n;t.stage(`match`,_*(d*f*A[p]+m*4));let v={pixels:i,fence:c??e.nothing,bits:o},y={width:d,words:m,rows:_,first:l,row:n-h.y0+1,fenced:+(c!==void 0),...g};p===`u8`&&a.metric===`linf`&&!u&&d%32==0&&l%16==0?t.dispatch(`fill-match-bytes`,Math.ceil(_*m/64),v,y,{CHANNELS:f}):t.dispatch(`fill-match`,B(_*m),v,{...y,metric:s[a.metric],right:u?.right??1,up:u?.up??0,top:+(n===0)},{TYPE:j[p],CHANNELS:f,FLOATING:u!==void 0})})}function Dr({lo:e,hi:t,colour:n,limit:r},i,a){let o={limit:r>>>0,limitHigh:Math.floor(r/4294967296)};for(let r=0;r<4;r++)o[`lo${r}`]=e[r]===void 0||a?0:K(e[r],i),o[`hi${r}`]=t[r]===void 0?0:a?t[r]:K(t[r],i),o[`colour${r}`]=n[r]===void 0?0:K(n[r],i);return o}function Or(e,t,n){let{width:r,channels:i,type:a}=t.shape;return async(o,s,c,l)=>{let u=l-c,d=await(t.kind===`image`?Kt(e,t,Array.from({length:u},(e,t)=>c+t)):re(t,c,l,n)),f=(s-o)*i,p=we(a,f*u);for(let e=0;e<u;e++){let t=e*r*i;p.set(d.subarray(t+o*i,t+s*i),e*f)}return p}}function kr(){return(kr=e((()=>{d(),k(),w(),H(),Xt(),q()})))()}async function Ar(e,t,n,r,i){let{height:a,type:o}=t.shape,s=n.connectivity===8,c=g(n,o),l={foreground:0,runCount:0},u=await U(e,t.shape,1,o=>R(e,async u=>{let{words:d}=o,f=d*a,p=e.commands(),m=[];for(let n of s?Nr:Nr.slice(0,2)){let s=await u.allocate((a+2)*d*4,`links`);p.clear(s,0,d*4);let l={bits:s,fence:r?.strips[0]?.bits[0]};await Er(e,p,t,o,0,c,l,i,n),m.push(s)}let[h,g,_=g,v=g]=m,y=await u.allocate(f*32*4,`parents`),b=await u.allocate(f*4,`marks`),x=n.seeds.filter(([e,t])=>be(n.within,e,t)),S=await u.allocate(Math.max(1,x.length)*4,`seeds`);e.write(S,Uint32Array.from(x,([e,t])=>t*d*32+e));let C=o.strips[0]?.bits[0];p.stage(`link`,f*4*(m.length+32)),p.clear(b,0,f*4),p.dispatch(`fill-link-begin`,B(f*32),{left:h,parents:y},{words:d,total:f*32});let w={left:h,up:g,upLeft:_,upRight:v,parents:y};p.dispatch(`fill-link-join`,B(f),w,{words:d,total:f,eight:Number(s)}),p.dispatch(`fill-link-seeds`,B(x.length),{seeds:S,parents:y,marks:b},{seeds:x.length}),p.dispatch(`fill-link-select`,B(f),{left:h,parents:y,marks:b,bits:C},{words:d,total:f});let T=await _n(u);vn(p,T),jr(p,o,T);let{pixels:E,runs:D}=await mn(e,p,T);l={foreground:E,runCount:D}}));return n.seeds.length===1?{planes:u,known:l}:{planes:u}}function jr(e,t,n){let{words:r,rows:i,strips:a}=t,o=r*i,s=a[0]?.bits[0];e.dispatch(`runs-count`,Math.ceil(o/Mr),{bits:s,counters:n},{words:r,total:o}),G(e,t)}var Mr,Nr;function Pr(){return(Pr=e((()=>{d(),k(),H(),bn(),z(),kr(),q(),Mr=2048,Nr=[{right:0,up:0},{right:1,up:1},{right:0,up:1},{right:2,up:1}]})))()}async function Fr(e,t,{level:n,solid:r,intensity:i},a){let{count:o,planes:s}=t,c=E.indexOf(n),l=c<3?Ir(e,t,r):void 0;return l?e.timed(a,`regions`,0,async()=>{let n=await Lr(e,t,l,c);return i?{...n,intensity:await ri(e,t,i,n.area,a)}:n}):r?e.timed(a,`regions`,0,()=>Ur(e,t,c)):e.timed(a,`regions`,0,async()=>{let n=new Uint32Array(o),r={area:n},l=c>=1?new Uint32Array(o*4):void 0,u=c>=2?new Float64Array(o*2):void 0,d=c===3?new BigInt64Array(o*5):void 0,f=c===3?new BigInt64Array(o*2):void 0,p=d&&new Uint32Array(d.buffer);c>=2&&Kr(s);let m={area:n,bounds:l,centroid:u,moments:p};if(await Qr(e,t,`regions`,ei,(e,t,n,r,i)=>{qr(m,e,t,n,r,i)}),p&&f){let n=new Uint32Array(f.buffer);await Qr(e,t,`shape`,ni,(e,t,r,i)=>{for(let a=0,o=t,s=r;a<i;a++,o+=X.shape,s++){for(let t=0;t<6;t+=2)Zr(p,10*s+4+t,e,o+t);for(let t=0;t<4;t+=2)Zr(n,4*s+t,e,o+6+t)}})}return u&&Xr(u,n),Object.assign(r,{bounds:l,centroid:u,rawMoments:d,outline:f}),i&&(r.intensity=await ri(e,t,i,n,a)),r})}function Ir(e,{strips:t},n){let[r]=t,i=n?3:2,a=(r?.count??0)*X[n?`solids`:`regions`]*4+8;return r&&t.length===1&&a<=e.device.bindingBytes?{strip:r,axes:i}:void 0}function Lr(e,t,{strip:n,axes:r},i){let{count:a}=n;return i>=2&&Kr(t.planes),Rr(e,{count:a,axes:r,level:i},(e,i)=>(r===3?Wr:ei)(e,t,n,{begin:0,count:a},i))}async function Rr(e,{count:t,axes:n,level:r},i){let a=new Uint32Array(t),o=r>=1?new Uint32Array(t*2*n):void 0,s=r>=2?new Float64Array(t*n):void 0;if(t===0)return{area:a,bounds:o,centroid:s};let c=t*(1+2*n),l=[[0,Vr(a)]];o&&l.push([t*4,Vr(o)]),s&&l.push([(c+c%2)*4,Vr(s)]);let u=X[n===3?`solids`:`regions`];return await R(e,async r=>{let a=await r.allocate(t*u*4,`records`),o=await r.allocate(t*u*4+4,`columns`),s=e.commands();s.clear(a,0,t*u*4),i(s,a),s.stage(`columns`,t*u*8),s.dispatch(`regions-columns`,B(t),{records:a,columns:o},{count:t,axes:n});let[c,d]=l[l.length-1];await e.read(s,o,0,c+d.length,(e,t)=>{for(let[n,r]of l){let i=Math.max(n,t),a=Math.min(n+r.length,t+e.byteLength);i<a&&r.set(new Uint8Array(e,i-t,a-i),i-n)}})}),{area:a,bounds:o,centroid:s}}function zr(e,t,{level:n,intensity:r}){let i=X[t.depth>1?`solids`:`regions`];return n!==`shape`&&!r&&Hr(t)&&Gr(t)&&t.count*i*4+8<=e.device.bindingBytes}function Br(e,{labels:t,width:n,height:r,depth:i,count:a},{level:o,solid:s}){return Rr(e,{count:a,axes:s?3:2,level:E.indexOf(o)},(e,a)=>{let o=Math.ceil(n/ii.columns),c=Math.ceil(r/ii.rows);e.stage(`regions`,n*r*i*4),e.dispatch(`regions-labels`,o*c*i,{labels:t,records:a},{width:n,height:r,depth:i,columns:o,lines:c},{SOLID:s})})}function Vr({buffer:e,byteOffset:t,byteLength:n}){return new Uint8Array(e,t,n)}function Hr({height:e,depth:t}){return e<65536&&t<65536}async function Ur(e,t,n){let{count:r,planes:i}=t,a=new Uint32Array(r),o=new Uint32Array(n>=1?r*6:0),s=new Float64Array(n>=2?r*3:0);n>=2&&Kr(i),await Qr(e,t,`solids`,Wr,(e,t,r,i,c)=>{for(let l=0,u=t,d=r;l<i;l++,u+=X.solids,d++){let t=(c?0:a[d])+e[u];if(t>=2**32)throw new O(`Expected objects of fewer than 2^32 pixels, got a larger one.`);a[d]=t;for(let t=0;t<3;t++){if(n>=1){let n=~e[u+1+t]>>>0,r=e[u+4+t],i=6*d+t;o[i]=c?n:Math.min(n,o[i]),o[i+3]=c?r:Math.max(r,o[i+3])}if(n>=2){let n=u+7+2*t,r=e[n+1]*2**32+e[n];s[3*d+t]=(c?0:s[3*d+t])+r}}}});for(let e=0;e<s.length;e++)s[e]=s[e]/a[Math.floor(e/3)];return{area:a,bounds:n>=1?o:void 0,centroid:n>=2?s:void 0}}function Wr(e,t,n,r,i){ti(e,`regions-3d`,t,n,{...r,slice:t.planes.height},i)}function Gr({width:e,height:t,depth:n}){return Math.min(e*t*n,2**32)*Math.max(e,t,n)<2**53}function Kr(e){if(!Gr(e))throw new O(`Expected sides of fewer than 2^21 pixels for centroids on the GPU, got ${fe(e)}; use the CPU.`)}function qr({area:e,bounds:t,centroid:n,moments:r},i,a,o,s,c){for(let t=0,n=a;t<s;t++,n+=X.regions){let a=o+t,s=(c?0:e[a])+i[n];if(s>=2**32)throw new O(`Expected objects of fewer than 2^32 pixels, got a larger one.`);e[a]=s,r&&(Zr(r,10*a,i,n+5),Zr(r,10*a+2,i,n+7))}t&&Jr(t,i,a+1,o,s,c),n&&Yr(n,i,a+5,o,s,c)}function Jr(e,t,n,r,i,a){for(let o=0,s=n,c=4*r;o<i;o++,s+=X.regions,c+=4){let n=~t[s]>>>0,r=~t[s+1]>>>0,i=t[s+2],o=t[s+3];(a||n<e[c])&&(e[c]=n),(a||r<e[c+1])&&(e[c+1]=r),(a||i>e[c+2])&&(e[c+2]=i),(a||o>e[c+3])&&(e[c+3]=o)}}function Yr(e,t,n,r,i,a){for(let o=0,s=n,c=2*r;o<i;o++,s+=X.regions,c+=2)e[c]=(a?0:e[c])+t[s+1]*2**32+t[s],e[c+1]=(a?0:e[c+1])+t[s+3]*2**32+t[s+2]}function Xr(e,t){for(let n=0;n<t.length;n++)e[2*n]=e[2*n]/t[n],e[2*n+1]=e[2*n+1]/t[n]}function Zr(e,t,n,r){let i=e[t]+n[r];e[t]=i,e[t+1]=e[t+1]+n[r+1]+ +(i>=2**32)}async function Qr(e,t,n,r,i){let a=X[n],o=a*4,s=Math.max(0,...t.strips.map(({count:e})=>e)),c=new Uint32Array(Math.min(I/4,s*a));for(let n of t.strips){let s=Math.floor(e.device.bindingBytes/o);for(let l=0;l<n.count;l+=s){let u=Math.min(s,n.count-l);await R(e,async s=>{let d=await s.allocate(u*o,`records`),f=e.commands();f.clear(d,0,u*o),await r(f,t,n,{begin:l,count:u},d),await e.read(f,d,0,u*o,(e,t)=>{let r=Math.min(Math.floor(e.byteLength/o),u-t/o),s=c.subarray(0,r*a);s.set(new Uint32Array(e,0,r*a));let d=l+t/o+1;for(let{component:e,label:t,length:o,fresh:c}of fn(n,d,d+r))i(s,(e-d)*a,t-1,o,c)},o)})}}}function $r({planes:{words:e}},t,n){let{y0:r,y1:i,tileColumns:a,tiles:o}=t;return{words:e,height:i-r,tileColumns:a,tiles:o,row:r,...n}}function ei(e,t,n,r,i){ti(e,`regions-2d`,t,n,r,i)}function ti(e,t,n,r,i,a){e.stage(`regions`,En(n.planes,r)*r.bits.length);for(let[o,s]of r.planes.entries()){let c={bits:r.bits[o],...s,map:r.map,records:a},l=Math.ceil(r.tileColumns/4)*(r.tiles/r.tileColumns);e.dispatch(t,l,c,$r(n,r,i),{CELL:r.cell})}}function ni(e,t,n,r,i){e.stage(`shape`,En(t.planes,n)*2*n.bits.length);for(let[a,o]of n.planes.entries()){let s={bits:n.bits[a],...o,map:n.map,records:i},c=$r(t,n,r);e.dispatch(`regions-shape`,n.tiles,s,c,{CELL:n.cell})}}async function ri(e,t,{pixels:n,contrast:r},i,a){let{count:o,planes:s}=t,{width:c,height:l,channels:u,type:d}=n.shape,f=new BigInt64Array(o*10),p=new Uint32Array(f.buffer),m=new Int32Array(o).fill(2147483647),h=new Int32Array(o).fill(-2147483648),g=async(i,o,s,f,p)=>{let m=32*s.cell;await kt(e,i,n,s,{multiple:m,halo:!0},a,({y0:e,y1:n,pixels:a,first:o})=>{i.stage(`intensity`,(n-e)*c*u*A[d]);let h=(e-s.y0)/m*s.tileColumns,g=Math.ceil((n-e)/m)*s.tileColumns;for(let[e,n]of s.planes.entries()){let u=s.bits[e],m={bits:u,bits2:s.bits[1-e]??u,...n,map:s.map,pixels:a,records:p},_={...$r(t,s,f),width:c,firstTile:h,tiles:g,imageHeight:l,first:o};i.dispatch(`regions-intensity`,g,m,_,{TYPE:j[d],CONTRAST:r,CELL:s.cell})}})};if(s.height!==l)throw Error(`intensity of another size`);await Qr(e,t,`intensity`,g,(e,t,n,r)=>{for(let i=0,a=t,o=n;i<r;i++,a+=X.intensity,o++){m[o]=Math.min(m[o],(~e[a]>>>0)-32768),h[o]=Math.max(h[o],e[a+1]-32768);for(let t=0;t<12;t+=2)Zr(p,20*o+4+t,e,a+2+t)}});for(let e=0;e<o;e++){for(let[t,n]of[m[e],h[e]].entries())p[20*e+2*t]=n,p[20*e+2*t+1]=n>>31;f[10*e+9]=BigInt(i[e])}return f}var X,ii;function ai(){return(ai=e((()=>{k(),x(),ie(),N(),H(),pn(),z(),L(),q(),X={regions:9,solids:13,shape:10,intensity:14},ii={columns:256,rows:64}})))()}async function oi(e,t,n,r){let{planes:i,connectivity:a}=t,o=i.strips[0]?.bits.length??1;return Ne(t,n,r,{label:(t,n,r)=>J(e,e.commands(),t,n,r),select:(t,n,r)=>si(e,t,n,r),background:t=>U(e,i,1,n=>ui(e,i,t,i,t,n,0,!0)),filled:async(t,n)=>{let r=await U(e,i,o,async e=>{await t(e,0),o>1&&await t(e,1)});return o===1?r:di(e,r,a,n)},addHoles:(t,n,r)=>ui(e,i,r,n,0,t,r,!1),free:t=>W(e,t)})}async function si(e,t,n,r){return ci(e,t,await li(e,t,n,r))}function ci(e,t,n){let{planes:r,strips:i}=t,{words:a}=r;return U(e,r,i[0]?.bits.length??1,async t=>{let r=e.commands();for(let[o,s]of i.entries()){let i=new Uint32Array(Math.ceil((s.count+1)/32));for(let{component:e,label:t,length:r}of fn(s,1,s.count+1))for(let a=0;a<r;a++){let r=e+a;n[t+a-1]&&(i[r>>5]=i[r>>5]|1<<(r&31))}await R(e,async n=>{let c=await n.allocate(i.byteLength,`kept components`);e.write(c,i);let l=(s.y1-s.y0)*a;for(let[e,n]of s.bits.entries())r.stage(`select`,l*8),r.dispatch(`filter-select`,B(l),{bits:n,...s.planes[e],map:s.map,keep:c,kept:t.strips[o]?.bits[e]},{words:a,total:l,tileColumns:s.tileColumns},{CELL:s.cell});await r.submit()})}G(r,t),await r.submit()})}async function li(e,t,n,r){let{planes:i}=t,a=await Fr(e,t,{level:n.clearBorder?`bounds`:`area`,solid:i.depth>1},r);return Ie(n,a,i)}async function ui(e,t,n,r,i,a,o,s){let{words:c,width:l}=a;await R(e,async u=>{for(let d of a.strips){let a=(d.y1-d.y0)*c,f=e.commands(),p=Pn(f,t,n,d,await u.allocate(a*4,`bits`)),m=Pn(f,r,i,d,await u.allocate(a*4,`bits`)),h=await u.allocate(a*4,`bits`),g=4294967295>>>c*32-l;f.dispatch(`mask-combine`,B(a),{bits:p,bits2:m,result:h},{words:c,total:a,tail:g},{NEITHER:s}),f.copy(h,0,d.bits[o],c*4,a*4),await f.submit()}let d=e.commands();G(d,a),await d.submit()})}async function di(e,t,n,r){let i=await J(e,e.commands(),t,n,r);try{let{words:n}=t;return await U(e,t,2,async t=>{let r=e.commands();for(let[e,a]of i.strips.entries()){let i=(a.y1-a.y0)*n;for(let o of[0,1]){let[s,c]=[a.planes[o],a.planes[1-o]];r.dispatch(`filter-claims`,B(i),{bits:a.bits[o],bits2:a.bits[1-o],map:a.labels,segments:s?.segments,tileTable:s?.tileTable,segments2:c?.segments,tileTable2:c?.tileTable,settled:t.strips[e]?.bits[o]},{words:n,total:i,tileColumns:a.tileColumns},{CELL:a.cell})}}G(r,t),await r.submit()})}finally{i.free()}}function fi(){return(fi=e((()=>{Me(),H(),Y(),pn(),z(),q(),ai()})))()}function pi(e,{shape:t},{metric:n,floating:r}){let{width:i,height:a,depth:o,type:s}=t;if(!Ce(s)||o>1&&r)return!1;if(s===`f32`)return n===`linf`&&!r;let c=Math.ceil(i/32)*32*a;return!r||c*4<=e.device.bindingBytes&&Cn(e,t,1).length===1}async function mi(e,n,r,i){let{shape:a}=n,o=r.within&&await gi(e,r.within,a);try{if(r.floating)return await Ar(e,n,r,o,i);let s=await t(r.seeds,r.average,a,Or(e,n,i)),c=m(r,r.seeds,s,a.type),[l]=c;return c.length===1&&r.contiguous&&Cn(e,a,1).length===1?await hi(e,n,r,l,o,i):{planes:await _i(e,n,r,c,o,i)}}finally{o&&W(e,o)}}async function hi(e,t,{connectivity:n},{match:r,seeds:i},a,o){let{height:s}=t.shape,c=M(t.shape),l=e.commands(),u=await Tr(e,l,t,r,a,o),[d]=u.strips;try{let r=Rn(u,d,n);for(let a=Bn(r);;){let o=0,u={foreground:0,runCount:0},f=await U(e,t.shape,1,t=>R(e,async f=>{let{cell:p}=r,[m]=await Vn(f,d,r),h=await f.allocate(a*4,`components`),g=await Hn(f,[m],h,r,a),_=await _n(f),v=await f.allocate(256,`counters`),y=await f.allocate(Math.ceil(a/32)*4,`kept components`),b=await f.allocate(i.length*8,`seeds`);e.write(b,Uint32Array.from(i.flatMap(([e,t,n])=>[e,n*s+t]))),vn(l,_),l.clear(y,0,Math.ceil(a/32)*4),Gn(l,d,g,r,n,{counters:_,split:v},!1);let[x]=d.bits,{words:S,tileColumns:C}=r,w=S*c;l.stage(`select`,w*8),l.dispatch(`fill-mark-seeds`,B(i.length),{seeds:b,bits:x,...m,map:h,counters:_,keep:y},{words:S,tileColumns:C,seeds:i.length,capacity:a},{CELL:p});let T=t.strips[0]?.bits[0],E={bits:x,...m,map:h,keep:y,kept:T};l.dispatch(`filter-select`,B(w),E,{words:S,total:w,tileColumns:C},{CELL:p}),jr(l,t,_);let{nodes:D,pixels:ee,runs:te}=await mn(e,l,_);o=D,u={foreground:ee,runCount:te}}));if(o<=a)return i.length===1?{planes:f,known:u}:{planes:f};W(e,f),a=o,l=e.commands()}}finally{W(e,u)}}async function gi(e,t,n){return U(e,n,1,async n=>{let r=e.commands();await kn(e,r,t,n),await r.submit()})}async function _i(e,t,n,r,i,a){let o;try{for(let{match:s,seeds:c}of r){let r=e.commands(),l=await Tr(e,r,t,s,i,a),u=n.contiguous?await vi(e,r,l,n,c,a):l;try{await r.submit()}catch(t){throw W(e,u),t}let d=o;o=void 0,o=d?await yi(e,d,u):u}return o}catch(t){throw o&&W(e,o),t}}async function vi(e,t,n,{connectivity:r},i,a){let o=await J(e,t,n,r,a);try{let t=new Uint8Array(o.count);for(let[r,a,s]of i){let i=await sn(e,o,r,s*n.height+a);i>0&&(t[i-1]=1)}return await ci(e,o,t)}finally{o.free()}}async function yi(e,t,n){let{words:r}=t;try{return await U(e,t,1,async i=>{let a=e.commands();for(let[e,{y0:o,y1:s,bits:c}]of i.strips.entries()){let[i,l]=[t,n].map(({strips:t})=>t[e]?.bits[0]),u=(s-o+2)*r,d={bits:i,bits2:l,result:c[0]};a.dispatch(`mask-combine`,B(u),d,{words:r,total:u,tail:4294967295})}await a.submit()})}finally{W(e,t),W(e,n)}}function bi(){return(bi=e((()=>{d(),k(),H(),Y(),bn(),z(),Pr(),kr(),fi(),un(),q()})))()}function xi({shape:e}){let t=Math.ceil(e.width*e.channels/4)*2;return{stride:t,words:t*M(e)}}function Si({shape:e},t){return i(e.type,t,[e.width,e.height,e.depth])}function Ci(e,t){if(!Rt(t)||!Ni(t.shape.type))return!1;let{words:n}=xi(t),{width:r,height:i,depth:a}=t.shape;return Math.max(r,i,a)>=2**30?!1:n*4+256<=e.device.bindingBytes}function wi(e,t,n,r){let i=Si(t,n);return i.bits===15?Di(e,t,i,r):Ei(e,t,n,r)}async function Ti(e,t,n,r,a){let{shape:o}=r,{width:s,height:c,depth:l,channels:u,type:d}=o,f=s*u,p=M(o),{stride:m,words:h}=xi({shape:o}),{pixels:g,lead:_}=zt(r),[v,y,b]=i(d,a,[s,c,l],!0).axes,x=async n=>{let r=n.subarray(1),i=new Uint32Array(2*Math.max(1,r.length));for(let[e,t]of r.entries())i.set([t>>8,t&255],2*e);let a=await t.allocate(i.byteLength,`weights`);return e.write(a,i),{weights:a,radius:r.length,high:n[0]>>8,low:n[0]&255}},S=await t.allocate(h*4,`plane`),{weights:C,...w}=await x(v??ji);n.stage(`smooth`,f*p*3);let T={values:f,channels:u,width:s,words:h,stride:m,first:_/A[d],...w},E={pixels:g,weights:C,plane:S};n.dispatch(`smooth-rows-exact`,B(h),E,T,{TYPE:j[d]});let D=[...y?[{given:y,step:m,lines:c,below:1}]:[],...b?[{given:b,step:m*c,lines:l,below:c}]:[]];for(let{given:e,...r}of D){let i=await t.allocate(h*4,`plane`),{weights:a,...o}=await x(e),s={words:h,stride:m,...r,...o};n.dispatch(`smooth-lines-exact`,B(h),{plane:S,weights:a,result:i},s),S=i}return{plane:S,stride:m}}function Ei(e,t,n,r){let{shape:i}=t,{width:a,channels:o,type:s}=i,c=a*o,l=M(i);return Bt(e,i,i=>Lt(e,t,r,t=>e.timed(r,`smooth`,c*l*A[s]*2,()=>R(e,async r=>{let a=e.commands(),{plane:o,stride:u}=await Ti(e,r,a,t,n),d=c*l,f=Math.ceil(d*A[s]/4),p={total:d,values:c,stride:u};a.dispatch(`smooth-pack-exact`,B(f),{plane:o,result:i},p,{TYPE:j[s]}),await a.submit()}))))}function Di(e,t,n,r){let{shape:i}=t,{width:a,height:o,depth:s,channels:c}=i,l=a*c,u=M(i),{stride:d,words:f}=xi(t),[p,m,h]=n.axes;return Bt(e,i,n=>Lt(e,t,r,t=>e.timed(r,`smooth`,l*u*2,()=>R(e,async r=>{let{pixels:i,lead:g}=zt(t),_=e.commands(),v=async t=>{let n=Math.ceil((t.length-1)/ki)*ki,i=new Uint32Array(Math.max(n,ki));for(let[e,n]of t.subarray(1).entries())i[e]=2*n;let a=await r.allocate(i.byteLength,`weights`);return e.write(a,i),{weights:a,radius:n,middle:2*t[0]}},y=await r.allocate(f*4,`plane`),b=Math.ceil(l/Oi),x=await v(p??Ai);_.stage(`smooth`,l*u*3),_.dispatch(`smooth-rows`,b*u,{pixels:i,weights:x.weights,plane:y},{values:l,channels:c,width:a,rows:u,segments:b,stride:d,first:g,radius:x.radius,middle:x.middle});let S=l%4==0,C=[...m||!h?[{weights:m??Ai,step:d,lines:o,below:1}]:[],...h?[{weights:h,step:d*o,lines:s,below:o}]:[]];for(let[e,{weights:t,...i}]of C.entries()){let a=S&&e===C.length-1,o=a?n:await r.allocate(f*4,`plane`),{weights:s,...c}=await v(t),u={words:f,stride:d,values:l,...i,...c},p={plane:y,weights:s,result:o};_.dispatch(`smooth-lines`,B(f/2),p,u,{PACK:a}),a||(y=o)}if(!S){let e=l*u;_.dispatch(`smooth-pack`,B(Math.ceil(e/4)),{plane:y,result:n},{total:e,values:l,stride:d})}await _.submit()}))))}var Oi,ki,Ai,ji,Mi,Ni;function Pi(){return(Pi=e((()=>{k(),H(),z(),Xt(),Oi=1024,ki=4,Ai=Uint32Array.of(32768),ji=Uint32Array.of(1<<24),Mi=[`u8`,`u16`,`i16`],Ni=e=>Mi.some(t=>t===e)})))()}function Fi(e,t){let{shape:n}=t,r=n.width*M(n)*A.f32;return Ci(e,t)&&r+256<=e.device.bindingBytes}function Ii(e,t,n,r){let{shape:i}=t,{width:o,height:s,depth:c,type:l}=i,u=o*M(i);return Bt(e,{...i,type:`f32`},d=>Lt(e,t,r,t=>e.timed(r,`gradient`,u*(A[l]+A.f32),()=>R(e,async r=>{let f=e.commands(),{pixels:p,lead:m}=zt(t),h=n&&await Ti(e,r,f,t,n),{binding:g,TYPE:_,...v}=h?{binding:h.plane,stride:2*h.stride,first:0,TYPE:j.i16}:{binding:p,stride:o,first:m/A[l],TYPE:j[l]},y=a(i,h!==void 0);f.stage(`gradient`,u*(A[l]+A.f32)),f.dispatch(`gradient`,B(u),{pixels:g,result:d},{total:u,width:o,lines:s,slices:c,...v,shift:y},{TYPE:_,SOBEL:h===void 0}),await f.submit()}))))}function Li(){return(Li=e((()=>{k(),H(),z(),Xt(),Pi()})))()}async function Ri(e,t){let{count:n,strips:r}=t,i=new Uint8Array(n),a=Math.ceil((n+1)/32);return await R(e,async t=>{let o=await t.allocate(a*4,`polarities`),s=e.commands();s.clear(o,0,a*4);for(let{labels:e,nodes:t,firstNodes:n}of r)s.dispatch(`components-polarity`,Dt(t),{map:e,second:o},{first:n,nodes:t});await e.read(s,o,0,a*4,(e,t)=>{let r=new Uint32Array(e),a=t*8;for(let e=Math.max(1,a);e<=Math.min(n,a+r.length*32-1);e++)i[e-1]=1+(r[e-a>>5]>>>(e&31)&1)})}),i}function zi(){return(zi=e((()=>{H(),z()})))()}function Bi({distance:e,spacing:t},n){let r=xe({max:e,metric:`euclidean`,small:!1},n,t);return r.isInteger?de(r,{nearest:!0}):void 0}function Vi(e,t,n,r){let i=Bi(n,t);return i!==void 0&&rr(e,t,i,r)}async function Hi(e,{planes:t,strips:[n],count:r},i){let{width:a,rows:o}=t,s=Bi(i,t),c=a*o,l=await e.memory.allocate(c*4,`labels`);try{return await R(e,async i=>{let u=await i.allocate(c*4,`distances`),d=await i.allocate(c*4,`nearest sites`),f=await i.allocate(c*4,`labels`),p=await i.allocate(8,`counts`),m=e.commands();m.clear(p,0,8),await ar(i,m,t,s,{values:u,nearest:d}),m.stage(`expand`,c*16),on(m,t,n,{y0:0,y1:o},f),m.dispatch(`labels-nearest`,B(c),{nearest:d,labels:f,grown:l,counts:p},{width:a,total:c});let[h,g]=await e.numbers(m,p,2);return{labels:l,count:r,runCount:g,foreground:h}})}catch(t){throw e.memory.free(l),t}}function Ui(){return(Ui=e((()=>{ce(),H(),z(),wr(),un()})))()}function Wi(e,{planes:t,strips:n},r,i,a){let{width:o,height:s,depth:c,words:l}=t,{x:u,y:d,z:f,step:p,width:m,height:h,axis:g}=r,_=m*h;for(let t of n)for(let[n,r]of t.planes.entries()){if(i&&i!==n+1)continue;let{segments:h,tileTable:v}=r,y={width:o,height:s,depth:c,words:l,tileColumns:t.tileColumns},b={row:t.y0,rows:t.y1-t.y0,axis:Yi[g],x:u,y:d,z:f,step:p,columns:m,total:_};e.dispatch(`labels-window`,B(_),{bits:t.bits[n],segments:h,tileTable:v,map:t.labels,labels:a},{...y,...b},{MASK:i!==void 0,CELL:t.cell})}}function Gi(e,{width:t}){let{bindingBytes:n}=e.device,r=Math.floor(n/(t*4));if(r<1)throw new O(`Expected a row of the window to fit ${n} bytes of GPU memory, got ${t} pixels.`);return r}function Ki(e,t,n){let r=e.axis===`z`?`y`:`z`;return{...e,height:n,[r]:e[r]+t*e.step}}async function qi(e,t,n,r,i,a){let{width:o,height:s}=n;await e.timed(a,`window`,o*s*4,()=>R(e,async c=>{let l=Math.min(s,Gi(e,n)),u=await c.allocate(l*o*4,`labels`);for(let c=0;c<s;c+=l){a.signal?.throwIfAborted();let d=Ki(n,c,Math.min(l,s-c)),f=o*d.height,p=e.commands();p.clear(u,0,f*4),Wi(p,t,d,r,u),await e.read(p,u,0,f*4,(e,t)=>{let n=new Uint32Array(e,0,Math.min(e.byteLength/4,f-t/4));ve(i,n,c*o+t/4)})}}))}async function Ji(e,t,n,r,i){let a=n.width*n.height*4;if(n.height>Gi(e,n))throw new O(`Expected a window that fits one binding of ${e.device.bindingBytes} bytes, got one of ${a}; read it instead.`);return pt(e,{bytes:a,into:r},`labels`,r=>e.timed(i,`window`,a,async()=>{let i=e.commands();i.clear(r.buffer,0,a),Wi(i,t,n,void 0,r),await i.submit()}))}var Yi;function Xi(){return(Xi=e((()=>{k(),N(),H(),z(),L(),Yi={x:0,y:1,z:2}})))()}function Zi(e,t,n){let r=na(t,n,!0);if(r.height*r.depth*Math.ceil(r.width/32)*64>e.device.bindingBytes||Cn(e,r,1).length>1)return!1;if(ea(t,n))return!0;let i=_(n,r);if(!i.isInteger)return!1;let a=i.weights.every((e,t)=>Math.abs(e*i.unit-n.spacing[t])<1e-13);return(t.depth>1||a)&&rr(e,r,de(i,{}),{timings:[]})}function Qi(e,t,n){return R(e,async r=>{let i=ea(t,n),a=i&&{rows:i,table:await ta(e,r,i)},o=e.commands(),s=await $i(e,o,t,n,a);try{return await o.submit(),s}catch(t){throw W(e,s),t}})}async function $i(e,t,n,r,i){let{padded:a,steps:o}=c(r),s=ra(n,a?na(n,r,!1):n),l=!a&&n.strips[0].bits.length===1?n:await aa(e,t,n,s,a&&r.extend),u=async t=>{let r=l;try{l=await t(r)}finally{r!==n&&W(e,r)}};for(let n of o){let a=n===`erode`,o=a&&!r.extend;await u(n=>i?oa(e,t,n,i,a,o):sa(e,t,n,r,a,o))}return a&&await u(r=>aa(e,t,r,ia(n,s),!1)),l}function ea(e,t){let[n]=t.spacing;if(t.radius/n>33)return;let r=e.depth>1?l(t,la,ca):y(t);if(!(!r||r.length>la||r.some(({width:e})=>e>ca)))return r.sort((e,t)=>t.width-e.width)}async function ta(e,t,n){let r=new Uint32Array(n.length*4);for(let[e,{y:t,z:i,width:a}]of n.entries())r.set([t,i,e>0?n[e-1].width-a:0],e*4);let i=await t.allocate(r.byteLength,`rows of a ball`);return e.write(i,r),i}function na({width:e,height:t,depth:n},r,i){let[a,o,s]=v({width:e,height:t,depth:n},r),c=Number(i);return{width:e+(Math.ceil(a/32)+c)*32+a+c,height:t+2*(o+c),depth:n>1?n+2*(s+c):n}}function ra(e,t){let n=(t.height-e.height)/2,r=(t.depth-e.depth)/2,{width:i,height:a,depth:o}=t;return{width:i,height:a,depth:o,left:Math.ceil((i-e.width)/64),up:n,front:r}}function ia({width:e,height:t,depth:n},{left:r,up:i,front:a}){return{width:e,height:t,depth:n,left:-r,up:-i,front:-a}}function aa(e,t,n,{left:r,up:i,front:a,...o},s){return U(e,o,1,async e=>{let[o,c=o]=n.strips[0].bits,{width:l,words:u,height:d}=e,f=e.rows*u,p={sourceWidth:n.width,sourceWords:n.words,sourceHeight:n.height,sourceDepth:n.depth};t.stage(`window`,f*8),t.dispatch(`mask-window`,B(f),{bits:o,bits2:c,result:e.strips[0].bits[0]},{width:l,words:u,total:f,height:d,left:r,up:i,front:a,...p},{EXTEND:s}),G(t,e)})}function oa(e,t,n,{rows:r,table:i},a,o){return U(e,n,1,async e=>{let{width:s,words:c,height:l,depth:u}=n,d=n.rows*c;t.stage(a?`erode`:`dilate`,d*8),t.dispatch(`morphology-near`,B(d),{bits:n.strips[0].bits[0],ball:i,result:e.strips[0].bits[0]},{width:s,words:c,total:d,height:l,depth:u,rows:r.length,last:r[r.length-1].width},{INVERT:a,OUTSIDE:o}),G(t,e)})}async function sa(e,t,n,r,i,a){if(a){let a=ra(n,{width:n.width+33,height:n.height+2,depth:n.depth>1?n.depth+2:1}),o=await aa(e,t,n,a,!1);try{let s=await sa(e,t,o,r,i,!1);try{return await aa(e,t,s,ia(n,a),!1)}finally{W(e,s)}}finally{W(e,o)}}return U(e,n,1,a=>R(e,async e=>{let{width:o,words:s,rows:c}=n,l={...de(_(r,n),{invert:i}),output:`squared`},u=await e.allocate(o*c*4,`distances`);await ar(e,t,n,l,{values:u,nearest:void 0});let d=Math.ceil(o/256);t.stage(`reach`,o*c*4),t.dispatch(`distance-reach`,d*c,{distances:u,bits:a.strips[0].bits[0]},{width:o,words:s,stretches:d,rows:c},{INVERT:i}),G(t,a)}))}var ca,la;function ua(){return(ua=e((()=>{ce(),u(),H(),z(),wr(),q(),ca=32,la=200})))()}var da;function fa(){return(fa=e((()=>{Be(),k(),L(),wr(),ai(),da=class{width;height;depth;count;foreground;runCount;polarities=1;touching=!0;values;connectivity;owner;dispose;#e;#t;#n;#r;constructor(e,{home:t,width:n,height:r,depth:i,foreground:a,values:o}){let{context:s}=t;this.width=n,this.height=r,this.depth=i,this.count=e.count,this.runCount=e.runCount,this.foreground=a,this.values=o,this.connectivity=t.connectivity,this.owner=t.owner,this.#e=s,this.#t=e.labels,this.#n=t.host,this.#r=new Re(e=>this.#a(e)),this.dispose=Fe(()=>{s.device.lost||s.memory.free(this.#t),this.#r.dispose()})}get#i(){return this.width*M(this)*4}labels({into:e},t){let n=e instanceof Uint32Array;return this.#e.guard(()=>this.#e.timed(t,`labels`,this.#i,()=>dr(this.#e,this,this.#t,e,Uint32Array,t,`labels`)),n)}labelsBuffer({into:e}){let t=this.#i;return this.#e.guard(()=>pt(this.#e,{bytes:t,into:e},`labels`,async({buffer:e})=>{let n=this.#e.commands();n.copy(this.#t,0,e,0,t),await n.submit()}))}regions(e,t){let{width:n,height:r,depth:i,count:a}=this,o=this.#e,s={labels:this.#t,width:n,height:r,depth:i,count:a};return o.guard(()=>o.timed(t,`regions`,0,()=>Br(o,s,e)))}refuses(e,t){return e===`regions`?!zr(this.#e,this,t):e!==`labels`&&!(e===`labelsBuffer`&&!t.window)}serve(e,t,n){return this[e](t,n)}onHost(e){return this.#r.get(e)}async bits(e){return(await this.onHost(e)).bits(e)}async#a(e){let{width:t,height:n,depth:r,connectivity:i,values:a}=this,o=new Uint32Array(this.#i/4);await this.labels({into:o},e);let s={width:t,height:n,depth:r,channels:1,type:`u32`};return(await this.#n()).labelled({pixels:{kind:`array`,shape:s,data:o},connectivity:i,values:a},e)}}})))()}function pa(e){return{row:new Uint32Array(e),begin:new Uint32Array(e),end:new Uint32Array(e),label:new Uint32Array(e)}}async function ma(e,t,n){let r=pa(t.runCount);return await e.timed(n,`runs`,t.runCount*16,async()=>{let i=0;for(let a of t.strips)n.signal?.throwIfAborted(),i+=await ha(e,t,a,r,i)}),r}async function ha(e,{planes:t},n,r,i){let{words:a}=t,o=(n.y1-n.y0)*a;return R(e,async s=>{let c=await _n(s),{marks:l,ranks:u,blocks:d}=await Un(s,o),f=e.commands();f.stage(`runs`,En(t,n)*n.bits.length);for(let[e,t]of n.bits.entries())f.dispatch(`runs-starts`,B(o),{bits:t,marks:l},{words:a,total:o},{SECOND:e>0});Kn(f,{marks:l,ranks:u,blocks:d,counters:c},o,[],0);let p=n.runs;await f.submit();let m=Math.floor(e.device.bindingBytes/12);for(let t=0;t<p;t+=m){let s={begin:t,count:Math.min(m,p-t)};await R(e,async c=>{let f=await c.allocate(s.count*12,`runs`),p=await c.allocate(s.count*4,`labels of runs`),m=e.commands();for(let[e,t]of n.bits.entries()){let r={bits:t,marks:l,ranks:u,blocks:d},i=n.planes[e],c={words:a,total:o,row:n.y0,...s};m.dispatch(`runs-emit`,B(o),{...r,runs:f},c);let h={words:a,total:o,tileColumns:n.tileColumns,...s},g={...r,...i,map:n.labels,labels:p};m.dispatch(`runs-labels`,B(o),g,h,{CELL:n.cell})}await m.submit(),await Promise.all(_a.map((n,a)=>{let[o,c]=n===`label`?[p,0]:[f,a*s.count*4];return e.read(e.commands(),o,c,s.count*4,(e,a)=>{let o=Math.min(e.byteLength,s.count*4-a)/4;r[n].set(new Uint32Array(e,0,o),i+t+a/4)})}))})}return p})}async function ga(e,t,n){let r=await ma(e,t,n),i=performance.now(),{count:a,runCount:o}=t,s=new Uint32Array(a+1),c=pa(o),l=async e=>{for(let t=0;t<o;t+=va){let r=Math.min(o,t+va);for(let n=t;n<r;n++)e(n);await T(),n.signal?.throwIfAborted()}};await l(e=>{s[r.label[e]]=s[r.label[e]]+1});for(let e=1;e<=a;e++)s[e]=s[e]+s[e-1];let u=s.slice();return await l(e=>{let t=r.label[e],n=u[t-1];u[t-1]=n+1;for(let t of _a)c[t][n]=r[t][e]}),n.timings.push({stage:`group runs`,milliseconds:performance.now()-i,bytes:o*32}),{...c,offsets:s}}var _a,va;function ya(){return(ya=e((()=>{H(),Y(),bn(),z(),q(),_a=[`row`,`begin`,`end`,`label`],va=1<<18})))()}async function ba(e,t,n){let{type:r}=t.shape;return e.timed(n,`histogram`,0,async()=>{if(r!==`f32`){let i=r===`u8`?256:65536,a=Float64Array.from(await xa(e,t,j[r],i,void 0,n));return Oe(a,t.shape)}let[i=0,a=0]=await xa(e,t,wa,4,void 0,n);if(i===0)throw ee();let[o,s]=[Sa(~a>>>0),Sa(i)],c=Ee(o,s),l=Uint32Array.from(c,e=>Dn(Ca(e))),u=Float64Array.from(await xa(e,t,Ta,256,l,n));return o===s?{counts:Float64Array.of(u.reduce((e,t)=>e+t,0)),levels:Float64Array.of(o)}:ae(u,c)})}async function xa(e,t,n,r,i,a){let{width:o,channels:s,type:c,nodata:l}=t.shape,u=M(t.shape);return R(e,async d=>{let f=await d.allocate(r*4,`levels`),p=await d.allocate(1028,`edges`);i&&e.write(p,i);let m=e.commands();return m.clear(f,0,r*4),await kt(e,m,t,{y0:0,y1:u},{multiple:1,halo:!1},a,({y0:e,y1:t,pixels:r,first:i})=>{let a=(t-e)*o;m.stage(`histogram`,a*s*A[c]);let u=B(Math.ceil(a/32)),d={pixels:a,first:i,except:l===void 0?0:Dn(l)};m.dispatch(`histogram`,u,{pixels:r,counts:f,edges:p},d,{MODE:n})}),e.numbers(m,f,r)})}function Sa(e){let t=e&2147483648?e&2147483647:~e;return new Float32Array(Uint32Array.of(t).buffer)[0]}function Ca(e){let t=Math.fround(e);if(t>=e)return t;let n=new Int32Array(Float32Array.of(t).buffer);return n[0]+=t<0?-1:1,t===0?2**-149:new Float32Array(n.buffer)[0]}var wa,Ta;function Ea(){return(Ea=e((()=>{ke(),k(),N(),H(),z(),q(),wa=3,Ta=4})))()}function Da({device:e}){return e.bindingBytes>=Ia}async function Oa(e,t,n,r){let i=new Et(e);try{return await e.timed(r,`count colours`,0,()=>t.shape.channels===1?ka(e,i,t,n,r):Aa(e,i,t,n,r))}catch(e){throw i.freeAll(),e}}async function ka(e,t,r,i,a){let{counts:o}=await ba(e,r,{...a,timings:[]}),{levels:s,...c}=n(o),l=await ja(e,t,await t.allocate(Ia,`colours`),c.keys.length),u=e.commands();return await jt(e,u,c.keys,l.keys,0),await jt(e,u,c.weights,l.weights,0),await jt(e,u,s,l.points,0),await Ma(e,u,l,i,1,a),l}async function Aa(e,t,n,r,i){let{shape:a}=n,{width:o,channels:s}=a,c=await t.allocate(Ia,`colours`),{marks:l,ranks:u,blocks:d}=await Un(t,La),f=await _n(t),p=e.commands(),m=Number(r.ignoreTransparent);p.clear(c,0,Ia),p.clear(l,0,La*4),await kt(e,p,n,{y0:0,y1:M(a)},{multiple:1,halo:!1,raw:!0},i,({y0:e,y1:t,pixels:n,first:r})=>{let i=(t-e)*o;p.stage(`count colours`,i*s);let a={pixels:i,first:r,skip:m},u=B(Math.ceil(i/Ra));p.dispatch(`kmeans-colours-count`,u,{pixels:n,counts:c,marks:l},a,{CHANNELS:s})}),p.stage(`list colours`,La*4),Kn(p,{marks:l,ranks:u,blocks:d,counters:f},La,[],0);let{components:h}=await mn(e,p,f),g=await ja(e,t,c,h),{keys:_,weights:v,points:y}=g;p.stage(`list colours`,h*16+La*4);let b={counts:c,marks:l,ranks:u,blocks:d,keys:_,weights:v,points:y};p.dispatch(`kmeans-colours-list`,B(La/8),b,{words:La}),await Ma(e,p,g,r,s,i);for(let e of[l,u,d,f])t.free(e);return g}async function ja(e,t,n,r){let i=Math.max(1,r)*4,a=e=>t.allocate(i,e),[o,s,c]=[await a(`keys`),await a(`weights`),await a(`points`)];return{count:r,keys:o,weights:s,points:c,boxes:await t.allocate(Math.ceil(i/256)*8,`boxes`),table:n,free:()=>{e.device.lost||t.freeAll()}}}async function Ma(e,t,{count:n,keys:r,points:i,boxes:a},{space:o},s,c){if(o.name===`oklab`){let a=await e.numbers(t,r,n);for(let e=0;e<n;e++)e%32768==0&&(c.signal?.throwIfAborted(),await T()),a[e]=f(a[e],s);await jt(e,t,a,i,0)}t.stage(`boxes`,n*4),t.dispatch(`kmeans-colours-boxes`,B(n),{points:i,boxes:a},{colours:n}),await t.submit()}async function Na(e,{count:t,keys:n,weights:r}){let i=n=>e.numbers(e.commands(),n,t);return{keys:await i(n),weights:await i(r)}}function Pa(e){return!ArrayBuffer.isView(e)&&`buffer`in e}async function Fa(e,t,n,{count:r,keys:i,table:a},o,s,c,l,u){let{shape:d}=t,{width:f,channels:p}=d,m=M(d);await R(e,async h=>{let g=await h.allocate(1024,`names`);await jt(e,l,Uint32Array.from(s),g,0),l.stage(`classes of pixels`,r*12),l.dispatch(`kmeans-colours-name`,B(r),{keys:i,classes:o,names:g,table:a},{colours:r});let _=Pa(c)?c.buffer:void 0,v=c instanceof Uint8Array||_?e.device.bindingBytes:I,y=Math.floor(v/f),b=y>=m||_?m:Math.max(4,y-y%4),x=Math.ceil(Math.min(b,m)*f/4)*4,S=_??await h.allocate(x,`classes of pixels`),C=c instanceof Uint8Array||_?void 0:new Uint8Array(Math.min(b,m)*f);for(let r=0;r<m;r+=b){let i=Math.min(m,r+b);await kt(e,l,t,{y0:r,y1:i},{multiple:4,halo:!1,raw:!0},u,({y0:e,y1:t,pixels:i,first:o})=>{let s=(t-e)*f;l.stage(`classes of pixels`,s*(p+1));let c={pixels:s,first:o,skip:Number(n),to:(e-r)*f/4},u=B(Math.ceil(s/za));l.dispatch(`kmeans-colours-look-up`,u,{pixels:i,table:a,classes:S},c,{CHANNELS:p})});let o=(i-r)*f;if(Pa(c)){await l.submit();continue}let s=c instanceof Uint8Array?oe(c,r*f,i*f):C.subarray(0,o);await e.read(l,S,0,o,(e,t)=>ve(s,new Uint8Array(e,0,Math.min(e.byteLength,o-t)),t)),c instanceof Uint8Array||await ue(c,d,r,s),u.onProgress?.({stage:`classes`,done:i,total:m})}})}var Ia,La,Ra,za;function Ba(){return(Ba=e((()=>{o(),k(),w(),H(),Y(),bn(),z(),L(),Ea(),Ia=r*4,La=r/32,Ra=16,za=4})))()}function Va({device:{bindingBytes:e}},t,{background:n,except:r,within:i},a){let{width:o,type:s}=t.shape;if(t.kind!==`image`||i||!ge(s)||!Rt(t))return!1;let c=Math.ceil(o/32)*32*M(t.shape);return[...n??[],...r===void 0?[]:[r]].every(e=>we(s,1).fill(e)[0]===e)&&c<2**30&&Math.max(c*4,c/8*Ya(a))<=e}function Ha(e,t,n,r,i){return Lt(e,t,i,async t=>{let{shape:i}=t,{width:a,channels:o}=i,s=Math.ceil(a/32),c=M(i),l=s*c,u=await e.memory.allocate(Math.ceil(a*c/4)*16,`labels`);try{return await R(e,async d=>{let f=await d.allocate(Ya(r)*l*4,`links`),p=await d.allocate(l*128,`parents`),m={columns:Math.ceil(s/qa.words),lines:Math.ceil(c/qa.rows)},h=await d.allocate(m.columns*m.lines*16,`tiles`),g=await d.allocate(l*4,`tops`),_={...await Un(d,l),counters:await _n(d)},v=Math.min(Ja,a*c),y=await d.allocate((8+v*o)*4,`values`),b=e.commands(),x={shape:i,words:s,total:l,tiles:m,links:f,parents:p,tileTable:h,tops:g,ranked:_,connectivity:r},S=zt(t);Ua(b,x,n,S),Wa(b,x),Ga(b,x,u),Ka(b,x,S,y,v),b.copy(_.counters,0,y,0,32);let C=await e.numbers(b,y,8+v*o),{components:w,pixels:T,runs:E}=hn(C),D=C.subarray(8,8+w*o);if(w>v){let t=await d.allocate((8+w*o)*4,`values`),n=e.commands();Ka(n,x,S,t,w),D=(await e.numbers(n,t,8+w*o)).subarray(8)}let ee=we(i.type,w*o);return ee.set(D),{labels:u,count:w,runCount:E,foreground:T,values:ee}})}catch(t){throw e.memory.free(u),t}})}function Ua(e,{shape:t,words:n,total:r,links:i,connectivity:a},{tolerance:o,background:s,except:c},{pixels:l,lead:u}){let{width:d,height:f,channels:p,type:m}=t,h=j[m],g=A[m],_=e=>K(s?.[e]??0,m)*+(e<p);e.stage(`links`,d*M(t)*p*g+Ya(a)*r*4),e.dispatch(`links-match`,Math.ceil(r*4/256),{pixels:l,links:i},{width:d,words:n,height:f,rows:M(t),total:r,first:u/g,tolerance:Math.min(65535,Math.floor(o)),grounds:+(s!==void 0)+2*(c!==void 0),ground0:_(0),ground1:_(1),ground2:_(2),ground3:_(3),except:K(c??0,m)},{TYPE:h,CHANNELS:p,CONNECTIVITY:a,EXACT:Math.floor(o)===0,ALIGNED:d%4==0&&u%4==0})}function Wa(e,{shape:t,words:n,total:r,tiles:i,links:a,parents:o,tileTable:s,tops:c,connectivity:l}){let{height:u,depth:d}=t,f=M(t),p=xn(l),{columns:m,lines:h}=i;e.stage(`join links`,r*4*Ya(l)),e.dispatch(`links-tiles`,m*h,{links:a,nodes:o,tileTable:s,tops:c},{words:n,rows:f,total:r,tileColumns:m,tiles:m*h},{WIDE:p});let g=(h-1)*n,_=g+(m-1)*f,v={words:n,rows:f,total:r,horizontal:g,threads:_};e.dispatch(`links-seams`,B(_),{links:a,parents:o},v,{WIDE:p});let y=(f-u)*n;if(d===1)return;let b=l>=18;e.dispatch(`links-slices`,B(y),{links:a,parents:o},{words:n,height:u,total:r,threads:y},{CONNECTIVITY:l,BEHIND:b?5:3,OBLIQUE:b?8:4,OBLIQUE_PLANES:l===26?3:1})}function Ga(e,{shape:t,words:n,total:r,tiles:i,links:a,parents:o,tileTable:s,tops:c,ranked:l},u){let{width:d}=t,f=d*M(t),{marks:p,ranks:m,blocks:h}=l,g=[{segments:s,tileTable:s}];e.stage(`number`,r*12),e.dispatch(`links-flatten`,B(r),{tops:c,parents:o,marks:p},{total:r}),Kn(e,l,r,g,i.columns*i.lines),e.dispatch(`links-number`,B(r),{tops:c,marks:p,ranks:m,blocks:h,parents:o},{total:r}),e.stage(`labels`,r*8+f*4),e.dispatch(`links-expand`,B(Math.ceil(f/4)),{links:a,names:o,tops:c,labels:u},{width:d,words:n,total:r,pixels:f})}function Ka(e,{shape:t,words:n,total:r,links:i,ranked:{marks:a,ranks:o,blocks:s}},{pixels:c,lead:l},u,d){let f=A[t.type];e.dispatch(`links-values`,B(r),{pixels:c,marks:a,ranks:o,blocks:s,links:i,values:u},{width:t.width,words:n,total:r,first:l/f,room:d},{BYTES:f,CHANNELS:t.channels})}var qa,Ja,Ya;function Xa(){return(Xa=e((()=>{k(),H(),Y(),bn(),z(),Xt(),q(),qa={words:4,rows:16},Ja=4096,Ya=e=>2+b[e]})))()}function Za(e,t,n,r){if(n.raster||n.markers)return!1;let{costs:i,distances:a}=Qa(n,t),o=n.h/i.unit;return i.isInteger&&o===Math.floor(o)&&o<=po&&rr(e,t,a,r)}function Qa({spacing:e},t){let n=xe({max:1/0,metric:`euclidean`,small:!1},t,e);return{costs:n,distances:{...de(n,{invert:!0}),output:`squared`}}}async function $a(e,t,n,r){let{planes:i,connectivity:a}=t,{width:o,height:s,depth:c,rows:l,words:u}=i,d=o*l,{costs:f,distances:p}=Qa(n,i);return R(e,async m=>{let h=(e,t)=>m.allocate(e,t),g={context:e,scope:m,planes:i,pixels:d,size:{width:o,height:s,depth:c},neighbours:{CONNECTIVITY:a,REACH_Z:+(c>1)},heights:await h(d*4,`heights`),leads:await h(d*4,`ways`),basins:await h(d*4,`basins`),peaks:await Un(m,l*u),parts:await Un(m,l*u),counters:await h(32,`counters`),partCount:await h(32,`counters`)},_=e.commands();return await R(e,e=>ar(e,_,i,p,{values:g.heights,nearest:void 0})),eo(_,g),ro(_,g,t,n.h/f.unit,r)})}function eo(e,t){let{planes:n,pixels:r,size:i,neighbours:a,heights:o,leads:s}=t,{marks:c}=t.peaks,l=Math.ceil(n.width/fo),u=Math.ceil(n.height/fo);e.stage(`ways`,r*8),e.dispatch(`watershed-highest-neighbours`,l*u*n.depth,{heights:o,leads:s,marks:c},{...i,words:n.words,tileColumns:l,tileLines:u},a)}async function to(e,t,n){let r=(t,n)=>e.allocate(t*4,n);return{peaks:await r(t,`heights of peaks`),parents:await r(t,`parents`),goals:await r(t,`goals`),names:await r(t,`labels of basins`),best:await r(t*4,`best saddles`),saddles:await r(n*3,`saddles`),firsts:await r(t,`first pixels`),origins:await r(t+mo,`objects of parts`),room:{basins:t,capacity:n}}}function no(e,{room:t,...n}){for(let t of Object.values(n))e.free(t)}async function ro(e,t,n,r,{signal:i}){let{context:a,scope:o,pixels:s}=t,c=e,l=await to(o,Math.max(4096,Math.ceil(s/so)),Math.max(4096,Math.ceil(s/so)));io(c,t,l);let u=await a.memory.allocate(s*4,`labels`);try{for(let e=0;e<lo;e+=co){i?.throwIfAborted(),ao(c,t,l,r),oo(c,t,n,l,u);let e=Math.min(uo,l.room.basins),s=await a.numbers(c,l.origins,mo+e);c=a.commands();let[d,f]=[s[Z.basins],s[Z.saddles]];if(d>l.room.basins||f>l.room.capacity){if(no(o,l),Math.max(d*16,f*12)>a.device.bindingBytes)break;l=await to(o,Math.max(d,4096),Math.max(f,4096)),io(c,t,l)}else if(s[Z.live]===0){let t=s[Z.parts],n=t>e?await a.numbers(c,l.origins,mo+t):s;return{labels:u,count:t,runCount:s[Z.runs],origins:n.slice(mo,mo+t)}}}}catch(e){throw a.memory.free(u),e}a.memory.free(u)}function io(e,t,n){let{planes:r,pixels:i,size:a,neighbours:o,heights:s,leads:c,basins:l,counters:u}=t,{marks:d,ranks:f,blocks:p}=t.peaks,{width:m,words:h,rows:g}=r,{peaks:_,parents:v,goals:y,best:b,saddles:x,room:S}=n;e.clear(u,0,32),e.clear(y,0,S.basins*4),e.clear(b,0,S.basins*16);let C=g*h;Kn(e,{marks:d,ranks:f,blocks:p,counters:u},C,[],0),e.stage(`basins`,i*8),e.dispatch(`watershed-peaks`,B(C),{heights:s,marks:d,ranks:f,blocks:p,leads:c,peaks:_,parents:v},{width:m,words:h,total:C,capacity:S.basins}),e.dispatch(`watershed-name`,B(i),{leads:c,basins:l},{total:i}),e.stage(`saddles`,i*4);let[w,T,E]=a.depth>1?[8,8,4]:[32,8,1],D=Math.ceil(m/w),ee=Math.ceil(a.height/T);e.dispatch(`watershed-saddles`,D*ee*Math.ceil(a.depth/E),{heights:s,basins:l,saddles:x,counters:u},{...a,columns:D,lines:ee,capacity:S.capacity},{...o,BLOCK_X:w,BLOCK_Y:T,BLOCK_Z:E})}function ao(e,{counters:t},n,r){let{peaks:i,saddles:a,parents:o,goals:s,best:c,room:l}=n,u=Dt(Math.max(l.capacity,l.basins));e.stage(`merge basins`,0);for(let n=1;n<=co;n++){n===co&&e.clear(t,Z.live*4,4);let d={peaks:i,saddles:a,counters:t,goals:s,parents:o,best:c};for(let t of[0,1,2])e.dispatch(`watershed-highest-saddles`,u,d,l,{STEP:t});e.dispatch(`watershed-decide`,u,d,{...l,h:r}),e.dispatch(`watershed-follow`,u,d,{basins:l.basins})}}function oo(e,t,n,{parents:r,names:i,firsts:a,origins:o,room:s},c){let{planes:l,pixels:u,size:d,basins:f,parts:p,partCount:m,counters:h}=t,{marks:g,ranks:_,blocks:v}=p,{width:y,words:b,rows:x}=l,S=Dt(s.basins),C={width:y,words:b,basins:s.basins};e.clear(a,0,s.basins*4),e.clear(g,0,x*b*4),e.clear(h,Z.runs*4,4),e.stage(`first pixels`,u*4);let w={...d,total:u,capacity:s.basins};e.dispatch(`watershed-firsts`,B(u),{basins:f,parents:r,firsts:a},w),e.dispatch(`watershed-mark`,S,{counters:h,firsts:a,marks:g},C),Kn(e,{marks:g,ranks:_,blocks:v,counters:m},x*b,[],0),e.copy(h,0,o,0,32),e.stage(`objects`,u*4),on(e,l,n.strips[0],{y0:0,y1:x},c);let T={marks:g,ranks:_,blocks:v,firsts:a,objects:c,parents:r,names:i,origins:o};e.dispatch(`watershed-number`,S,T,C),e.stage(`labels`,u*8);let E={width:y,total:u,basins:s.basins};e.dispatch(`watershed-relabel`,B(u),{basins:f,names:i,labels:c,counters:h},E),e.copy(h,0,o,0,32),e.copy(m,Z.basins*4,o,Z.parts*4,4)}var so,co,lo,uo,fo,po,Z,mo;function ho(){return(ho=e((()=>{ce(),H(),Y(),z(),wr(),un(),so=32,co=12,lo=400,uo=65536,fo=32,po=1e3,Z={saddles:0,basins:1,live:4,runs:5,parts:6},mo=8})))()}function go(e,t,n,r){let{type:i,channels:a,depth:o,width:s,height:c,nodata:l}=t.shape;return!Rt(t)||i!==`u8`||a!==1||o>1||l!==void 0||Math.max(s,c)>=2**30||(Math.ceil(s/4)*4+4)*c+256>e.device.bindingBytes?!1:n<=(r===`sauvola`?Eo:To)}function _o(e,t,{radius:n,method:r}){return r===`subtract`&&go(e,t,n,`subtract`)}function vo(e,t,{radius:n,method:r,first:i,second:a}){return!go(e,t,n,r)||Cn(e,t.shape,1).length>1?!1:r===`mean`||Math.abs(i)<=Po&&Math.abs(a)>=Fo}function yo(e,t,{radius:n},r){let{shape:i}=t,{width:a,height:o}=i,s=a*o;return Bt(e,i,i=>Lt(e,t,r,t=>e.timed(r,`flatten`,s*2,()=>R(e,async r=>{let c=a%4==0,l=Math.ceil(a/4),u=c?i:await r.allocate(l*4*o,`rows`),d=Ro(.5/(2*n+1)**2),f=wo(e,t,{mode:`subtract`,radius:n,edge:!0,numbers:{...Lo,inverse:d}},{result:u,words:l},await Bo(r));if(!c){let e={pitched:u,pixels:i},t={rowBytes:a,pitch:l*4,bytes:s};f.dispatch(`image-unpitch`,B(Math.ceil(s/4)),e,t)}await f.submit()}))))}async function bo(e,t,{radius:n,method:r,first:i,second:a,dark:o},s,c){let{height:l}=t.shape,{words:u,strips:d}=s,f=(2*n+1)**2,p={least:Math.max(-(2**31),Math.min(2**31-1,Math.floor(-(f*i))))>>>0,flip:o?15:0,weight:Ro(i+0),scale:Ro(1/(f*a)),inverse:Ro(1/f),margin:Ro(r===`sauvola`?So(f,i,a):0)},m={mode:r,radius:n,edge:r===`mean`,numbers:p};await Lt(e,t,zo(c),t=>R(e,async n=>{let p=d.length===1,h=p?d[0].bits[0]:await n.allocate((l+2)*u*4,`bits`),g={result:h,words:u};r===`mean`?await wo(e,t,m,g,await Bo(n)).submit():await xo(e,t,m,g,e=>Co(e,f,i,a,o),c);let _=e.commands();if(!p)for(let{y0:e,y1:t,bits:n}of d)_.copy(h,(e+1)*u*4,n[0],u*4,(t-e)*u*4);return G(_,s),_.submit()}))}async function xo(e,t,n,r,i,{signal:a}){let{width:o,height:s}=t.shape,c=(a,s)=>R(e,async c=>{let l=await c.allocate((1+s)*No*4,`open pixels`),u=wo(e,t,n,r,{list:l,most:s},a),[d]=await e.numbers(u,l,1);if(d>s)return!1;if(d===0)return!0;let f=i((await e.numbers(e.commands(),l,(1+d)*No)).subarray(No));if(f.length===0)return!0;let p=await c.allocate(f.byteLength,`places`);e.write(p,f);let m=e.commands(),h={count:f.length,width:o,words:r.words};return m.dispatch(`window-open`,B(f.length),{places:p,bits:r.result},h),await m.submit(),!0});if(await c({y0:0,y1:s},Math.ceil(o*s/Ao)+jo))return;let l=Math.max(1,Math.floor(Mo/o));for(let e=0;e<s;e+=l)a?.throwIfAborted(),await c({y0:e,y1:Math.min(s,e+l)},l*o)}function So(e,t,n){return 255*e*(2+Math.abs(t)*(127.5/Math.abs(n)+1))*2**-18+Math.abs(t/n)}function Co(e,t,n,r,i){let a=[];for(let o=0;o<e.length;o+=No){let[s,c]=[e[o+1],e[o+2]],l=Math.floor(Math.sqrt(t*c-s*s)*256)/256;t*e[o+3]>s+s*n*(l/(t*r)-1)!==i&&a.push(e[o])}return Uint32Array.from(a)}function wo(e,t,{mode:n,radius:r,edge:i,numbers:a},{result:o,words:s},{list:c,most:l},{y0:u,y1:d}={y0:0,y1:t.shape.height}){let{width:f,height:p}=t.shape,{pixels:m,lead:h}=zt(t),g=Math.ceil(r/ko)*ko,_=Math.ceil(f/(Do-2*g)),v=d-u,y=e.commands();return y.clear(c,0,16),y.stage(n===`subtract`?`flatten`:`pack`,v*(f+s*4)),y.dispatch(`window-slide`,_*Math.ceil(v/Oo),{pixels:m,result:o,undecided:c},{width:f,height:p,segments:_,first:h,radius:r,lead:g,top:u,rows:v,stretch:Oo,words:s,most:l,...a},{MODE:Io[n],EDGE:i}),y}var To,Eo,Do,Oo,ko,Ao,jo,Mo,No,Po,Fo,Io,Lo,Ro,zo,Bo;function Vo(){return(Vo=e((()=>{H(),z(),Xt(),q(),[To,Eo]=[128,90],[Do,Oo,ko]=[1024,32,16],[Ao,jo]=[64,65536],Mo=2**22,No=4,[Po,Fo]=[100,1],Io={subtract:0,mean:1,sauvola:2},Lo={least:0,flip:0,weight:0,scale:0,margin:0},Ro=e=>new Uint32Array(Float32Array.of(e).buffer)[0],zo=e=>({...e,timings:[],onProgress:e.onProgress&&(t=>e.onProgress?.({...t,stage:`upload`}))}),Bo=async e=>({list:await e.allocate(16,`open pixels`),most:0})})))()}function Ho(e,t,n){let{fits:r}=Wo[t.noun];return r===void 0||r(e,t,n)}function Uo(e,t,n,r,i){let a=Go[n];return a!==void 0&&(a.fits===void 0||a.fits(e,t,r,i))}var Q,Wo,$,Go;function Ko(){return(Ko=e((()=>{ke(),k(),x(),an(),wr(),Ui(),bi(),Li(),Ba(),Xa(),q(),ua(),ai(),Pi(),ho(),Vo(),Q=`what fits one binding`,Wo={pack:{title:`pixels to bits`,limits:`u8, u16, i16, f32, not within a mask; local thresholds of u8 images; images on the card, or a bus that is fast`,fits:(e,{pixels:t,predicate:{within:n,local:r}})=>!n&&(!r||vo(e,t,r))&&Ce(t.shape.type)&&(t.kind===`image`||!e.sendsSlowly)},components:{title:`components`,limits:`of a threshold or of bits, where a slice fits one binding; by value and by tolerance of u8, u16 and i16 images on the card, labels and links within one binding`,fits:(e,{input:t,rule:n,connectivity:r})=>{if(S(n))return Va(e,t,n,r);let i=t.kind===`mask`&&t.second?2:1;return Tn(e,le(t),Math.max(i,n.intervals.length))}},stack:{title:`stacks of images`,limits:`by a fixed threshold or of bits, where the stack fits one binding`,fits:(e,{input:t,rule:n})=>{if(S(n)||n.within||n.local)return!1;let r=t.kind===`mask`&&t.second?2:1;return wn(e,le(t),Math.max(r,n.intervals.length))}},fill:{title:`fills`,limits:`values that kernels compare exactly, where a slice fits one binding`,fits:(e,{pixels:t,plan:n})=>te(n)||Tn(e,t.shape,1)&&pi(e,t,n)},distance:{title:`distance maps of pixels`,limits:`${Q}, not coarse, memory not bounded`,fits:(e,{input:t,plan:n},r)=>rr(e,le(t),n,r)},histogram:{title:`histograms`,limits:`256 bins of fewer than 2^32 pixels of u8, u16, i16 and f32, not within a mask`,fits:(e,{pixels:{shape:t},bins:n=256,within:r})=>M(t)*t.width<2**32&&Ce(t.type)&&n===256&&!r},channel:{title:`channels and luma`,limits:`${Q}; luma of types that have a kernel`,fits:(e,{pixels:t,channel:n})=>Qt(e,t,n)},stain:{title:`stains`,limits:Q,fits:(e,{pixels:t})=>$t(e,t)},smooth:{title:`Gaussians`,limits:`u8, u16, i16, ${Q}`,fits:(e,{pixels:t})=>Ci(e,t)},gradient:{title:`gradients`,limits:`u8, u16, i16, ${Q}`,fits:(e,{pixels:t})=>Fi(e,t)},flatten:{title:`flattening`,limits:`subtraction from u8 images, radii up to 128, ${Q}`,fits:(e,{pixels:t,plan:n})=>_o(e,t,n)},wand:{title:`differences for a wand`,limits:Q,fits:(e,{pixels:{shape:t}})=>t.width*t.height<=e.device.bindingBytes},colours:{title:`k-means colours`,limits:`a table of colours that fits one binding, not within a mask`,fits:(e,{plan:t})=>!t.within&&Da(e)}},$=`always`,Go={labels:{title:`labels`,limits:$},window:{title:`labels or mask of a window`,limits:$},labelsBuffer:{title:`labels in a buffer`,limits:$},maskBuffer:{title:`mask in a buffer`,limits:$},runs:{title:`runs`,limits:$},mask:{title:`mask`,limits:$},surface:{title:`surface`,limits:$},at:{title:`label of a pixel`,limits:$},polarityOf:{title:`polarities`,limits:$},filter:{title:`filters by area, border, holes`,limits:$},keep:{title:`choice of objects`,limits:$},regions:{title:`regions`,limits:`of volumes up to 65 535 rows and slices, without values; values of u8, u16 and i16 without nodata`,fits:(e,t,{intensity:n,solid:r,level:i})=>{let{type:a,nodata:o}=n?.pixels.shape??{};return a&&(a===`f32`||o!==void 0||!Ce(a))?!1:!r||!n&&i!==`shape`&&Hr(t)}},distance:{title:`distance maps of objects`,limits:`one strip, ${Q}, not coarse, memory not bounded`,fits:(e,t,{plan:n},r)=>t.isWhole&&rr(e,t,n,r)},morphology:{title:`dilate, erode, open, close`,limits:`one strip, ${Q}; large radii with sides that are whole multiples of one unit`,fits:(e,t,n)=>t.isWhole&&Zi(e,t,n)},split:{title:`splits`,limits:`one strip, by distance, whole heights, ${Q}`,fits:(e,t,n,r)=>t.isWhole&&Za(e,t,n,r)},expand:{title:`growth`,limits:`one strip, whole costs, ${Q}, memory not bounded`,fits:(e,t,n,r)=>t.isWhole&&Vi(e,t,n,r)}}})))()}var qo,Jo;function Yo(){return(Yo=e((()=>{ze(),Be(),Te(),Y(),zi(),wr(),Ui(),fi(),un(),Xi(),q(),ua(),fa(),ai(),ya(),Ko(),ho(),Jo=class extends je{owner;connectivity;values=void 0;touching=!1;dispose;#e;#t;#n;constructor(e,t){super(t);let{context:n}=e;this.#t=e,this.#e=n,this.owner=e.owner,this.connectivity=e.connectivity;let{count:r,foreground:i,runCount:a}=t;this.#n=new Re(async t=>{let n=await this.bits(),o={count:r,foreground:i,runCount:a};return(await e.host()).hold({bits:n,connectivity:e.connectivity,known:o},t)}),this.dispose=Fe(()=>{n.device.lost||t.free(),this.#n.dispose()})}get#r(){return this.held.planes}get polarities(){return this.#r.strips[0]?.bits.length===2?2:1}refuses(e,t,n){let{width:r,height:i,depth:a}=this,o={width:r,height:i,depth:a,isWhole:this.#r.strips.length===1};return!Uo(this.#e,o,e,t,n)}serve(e,t,n){return this[e](t,n)}onHost(e){return this.#n.get(e)}regions(e,t){return this.#o(t,n=>Fr(this.#e,n,e,t))}polarityOf(e,t){return this.#o(t,e=>Ri(this.#e,e))}labels({into:e},t){let n=e instanceof Uint32Array;return this.#o(t,n=>cn(this.#e,n,e,t),n)}window({window:e,which:t,into:n},r){return this.#o(r,i=>qi(this.#e,i,e,t,n,r))}labelsBuffer({window:e,into:t},n){return this.#o(n,r=>e?Ji(this.#e,r,e,t,n):ln(this.#e,r,t,n))}runs({grouped:e},t){let n=e?ga:ma;return this.#o(t,e=>n(this.#e,e,t))}mask({which:e,into:t},n){return this.#e.guard(()=>this.#e.timed(n,`mask`,t.byteLength,()=>jn(this.#e,this.#r,e,t)))}maskBuffer({which:e,into:t}){return this.#e.guard(()=>Fn(this.#e,this.#r,e,t))}at({x:e,row:t},n){return this.#o(n,n=>sn(this.#e,n,e,t))}distance({plan:e,into:t},n){let r=this.#e;return r.guard(()=>r.timed(n,`distance`,0,()=>ur(r,this.#r,e,t,n)),ir(t))}filter(e,t){return this.#o(t,async n=>this.#a(await oi(this.#e,n,e,t)))}keep(e,t){return this.#o(t,async n=>{let r=await ci(this.#e,n,e);return this.#a(await J(this.#e,this.#e.commands(),r,n.connectivity,t))})}morphology(e,t){let n=this.#e;return n.guard(()=>n.timed(t,e.operation,0,async()=>{let r=await Qi(n,this.#r,e);return this.#a(await J(n,n.commands(),r,this.connectivity,t))}))}async split(e,t){let n=this.#e,r=await this.#o(t,r=>n.timed(t,`split`,0,()=>$a(n,r,e,t)));if(!r)throw new _e(`the parts do not fit one binding, or merge in too many rounds`);return{components:new da(r,{...this.#i,foreground:this.foreground}),origins:r.origins}}async expand(e,t){let n=this.#e,r=await this.#o(t,r=>n.timed(t,`expand`,0,()=>Hi(n,r,e)));return{components:new da(r,{...this.#i,foreground:r.foreground})}}get#i(){let{width:e,height:t,depth:n}=this;return{home:this.#t,width:e,height:t,depth:n}}#a(e){return{components:new qo(this.#t,Pe(e))}}surface({border:e,into:t},n){return this.#e.guard(()=>this.#e.timed(n,`surface`,t.byteLength,()=>Mn(this.#e,this.#r,e,t)))}#o(e,t,n=!0){return this.#e.guard(async()=>t(await this.held.labelled(e)),n)}bits(){return this.#e.guard(async()=>{let{width:e,height:t,depth:n,rows:r,words:i}=this.#r,a=async e=>{let t=new Uint32Array(i*r);return await jn(this.#e,this.#r,e,t),t},o=this.polarities===2?await a(2):void 0;return{kind:`mask`,width:e,height:t,depth:n,bits:await a(1),second:o}})}},qo=Jo})))()}function Xo(e,t,n,r=0){let i=new Uint32Array(4+n.length/3*4);i[1]=r;for(let e=0;e<n.length/3;e++)i.set(n.subarray(e*3,e*3+3),(e+1)*4);e.write(t,i)}function Zo(e,t,n){let r=new Uint16Array(n*3);for(let i=0;i<n;i++)r.set(e.subarray((t+i)*4,(t+i)*4+3),i*3);return r}var Qo,$o,es,ts,ns,rs,is,as,os;function ss(){return(ss=e((()=>{N(),H(),z(),L(),Ba(),Qo=32,$o=64,es=2**33,ts=8,ns=8208,rs=8192,is=2,as=class{#e;#t;#n;#r;#i;#a;#o=!0;constructor(e,t,{pixels:n,plan:r},i){this.#e=e,this.#t=i,this.#n=t,this.#r=r,this.#i=n}get count(){return this.#n.count}async#s(e){if(this.#a)return this.#a;let t=await Na(this.#e,this.#n);return this.#a=await(await this.#t()).mirror(t,{pixels:this.#i,plan:this.#r},e),this.#a}start(e,t,n,r){return this.#e.guard(async()=>(await this.#s(r)).start(e,t,n,r))}silhouette(e,t,n){return this.#e.guard(async()=>(await this.#s(n)).silhouette(e,t,n))}iterate(e,t,n){let r=this.#e,i=e.length/3,a=Math.max(1,Math.min($o,Math.floor(es/(this.#n.count*i))));return r.guard(()=>r.timed(n,`iterations`,0,()=>R(r,async o=>{let s=await this.#l(o,e,t),c=new os(r,s,i,t.maxIterations,a,e=>this.#u(e,s,i,t));for(;;){n.signal?.throwIfAborted();let{state:e,iterations:a,stays:o,words:s}=await c.next(),l=Zo(s,1,i);if(n.onProgress?.({stage:`iterations`,done:a,total:t.maxIterations}),r.profile?.full&&n.timings.push(...await r.profile.collect()),e!==is){if(e===0&&a<t.maxIterations)continue;return{centres:l,iterations:a,converged:e!==0}}let u=Uint8Array.from({length:i},(e,t)=>s[(t+1)*4+3]),d=await(await this.#s(n)).refill(Zo(s,257,i),l,u,t,n)===0&&o;if(d||a===t.maxIterations)return{centres:l,iterations:a,converged:d};await c.resume(l,a)}})))}async assess(e,t,n){let r=this.#e,i=e.length/3,{count:a,points:o,weights:s}=this.#n;return r.guard(()=>r.timed(n,`assess`,0,()=>R(r,async n=>{let c=await this.#l(n,e,{...t,centre:`mean`}),l=await n.allocate(16,`cost`),u=r.commands();u.clear(l,0,16),this.#d(u,c,i,t),u.stage(`assess`,a*12),this.#f(u,c,i);let d={colours:a,fraction:this.#r.space.fraction},f={centres:c.centres,points:o,weights:s,classes:c.classes,total:l},p=B(Math.ceil(a/ts));u.dispatch(`kmeans-cost`,p,f,d,{L1:t.cost===`l1`}),u.copy(l,0,c.sums,rs,16);let m=await r.numbers(u,c.sums,2052),[h,g]=m.subarray(rs/4);return{counts:Array.from({length:i},(e,t)=>m[t*8]),cost:BigInt(g)<<32n|BigInt(h)}})))}classes({into:e,...t},n){return this.#c(t,e,n)}async classesBuffer({into:e,...t},n){let{width:r,height:i,depth:a}=this.#i.shape,o=r*i*a,{bindingBytes:s}=this.#e.device;if(o>s)throw new O(`Expected classes of at most ${s} pixels for a buffer, got ${o}.`);let{parts:c=[]}=this.#i.kind===`image`?this.#i.image:{};if(c.some(({buffer:t})=>t===e))throw new ye(`Expected into to be another GPUBuffer than that of the pixels, got the same.`,{argument:`into`});return pt(this.#e,{bytes:o,into:e},`classes of pixels`,({buffer:e})=>this.#c(t,{buffer:e},n))}#c({centres:e,rule:t,names:n},r,i){let a=this.#e,{shape:o}=this.#i,s=o.width*o.height*o.depth,c=r instanceof Uint8Array||`buffer`in r,l=()=>R(a,async o=>{let s=await this.#l(o,e,{...t,centre:`mean`}),c=a.commands();this.#d(c,s,e.length/3,t);let l=this.#r.ignoreTransparent,{classes:u}=s;await Fa(a,this.#i,l,this.#n,u,n,r,c,i)});return a.guard(()=>a.timed(i,`classes`,s,l),c)}async#l(e,t,{centre:n}){let r=this.#e,i=t.length/3,a=2**this.#r.space.bits,o=await e.allocate(ns,`centres`),s=await e.allocate(Math.max(1,this.#n.count)*4,`classes of colours`),c=await e.allocate(8208,`sums`),l=n===`median`?await e.allocate(3*i*a*4,`histograms`):void 0,u=r.commands();return u.clear(c,0,8208),l&&u.clear(l,0,3*i*a*4),await u.submit(),Xo(r,o,t),{centres:o,classes:s,sums:c,histograms:l}}#u(e,t,n,r){let{count:i,points:a,weights:o}=this.#n,{centres:s,classes:c,sums:l,histograms:u}=t,{bits:d,fraction:f}=this.#r.space;if(this.#d(e,t,n,r),e.stage(`update`,i*12),u){let t=2**d,r={centres:s,points:a,weights:o,classes:c,histograms:u};e.dispatch(`kmeans-tally`,B(i),r,{k:n,colours:i,levels:t}),e.dispatch(`kmeans-median`,3*n,{centres:s,histograms:u,sums:l},{k:n,levels:t})}else this.#f(e,t,n);let p={k:n,fraction:f,limit:r.limit},m={MEDIAN:r.centre===`median`,L1:r.cost===`l1`};e.dispatch(`kmeans-centres`,1,{centres:s,sums:l},p,m)}#d(e,{centres:t,classes:n},r,{cost:i}){let{count:a,boxes:o,points:s}=this.#n,c={k:r,colours:a,fraction:this.#r.space.fraction};e.stage(`assign`,a*8);let l={centres:t,boxes:o,points:s,classes:n};e.dispatch(`kmeans-assign`,Math.ceil(a/64),l,c,{L1:i===`l1`})}#f(e,{centres:t,classes:n,sums:r},i){let{count:a,points:o,weights:s}=this.#n,c=B(Math.ceil(a/ts));e.dispatch(`kmeans-sum`,c,{centres:t,points:o,weights:s,classes:n,sums:r},{k:i,colours:a})}dispose(){this.#o&&this.#n.free(),this.#o=!1,this.#a?.dispose(),this.#a=void 0}},os=class{#e;#t;#n;#r;#i;#a;#o=[];#s=0;#c=Qo;constructor(e,t,n,r,i,a){this.#e=e,this.#t=t,this.#n=n,this.#r=r,this.#i=i,this.#a=a}async next(){for(;this.#o.length===0||this.#o.length<2&&this.#s<this.#r;)await this.#l();let e=await this.#o.shift(),[t,n,r]=e;return{state:t,iterations:n,stays:r===1,words:e}}async#l(){let e=this.#e.commands(),t=Math.min(this.#r,this.#s+Math.min(this.#i,this.#c));for(this.#c*=2;this.#s<t;this.#s++)this.#a(e);let n=(257+this.#n)*16,r=new Uint32Array(n/4),{done:i}=await this.#e.fetch(e,this.#t.centres,0,n,e=>r.set(new Uint32Array(e,0,n/4))),a=i.then(()=>r);a.catch(()=>{}),this.#o.push(a)}async resume(e,t){await Promise.all(this.#o.splice(0)),this.#s=t,Xo(this.#e,this.#t.centres,e,t)}}})))()}async function cs(e,t,n,r){let{context:i,connectivity:a}=e,{depth:o,height:s,words:c}=n;return R(i,async l=>{let u=await l.allocate(o*us*4,`counts of slices`),d=await J(i,t,n,a,r,(e,{bits:t},{marks:n,ranks:r,blocks:i})=>{e.stage(`slices`,s*o*c*4*t.length);for(let[a,l]of t.entries()){let t={bits:l,marks:n,ranks:r,blocks:i,slices:u},d={words:c,slice:s*c,depth:o};e.dispatch(`components-slices`,o,t,d,{SECOND:a===1})}});try{let t=await i.numbers(i.commands(),u,o*us),n=new ds(e,d);return Array.from({length:o},(e,r)=>{let[i,a,s]=t.subarray(r*us),c=r+1<o?t[(r+1)*us]:d.count;return new fs(n,r,{before:i,count:c-i,foreground:a,runCount:s})})}catch(e){throw d.free(),e}})}function ls({home:e,labelled:t},n,r,i){let{context:a,connectivity:o}=e,{width:s,height:c,strips:l}=t.planes,u=l[0]?.bits.length??1;return a.guard(async()=>{i.signal?.throwIfAborted();let l=await U(a,{width:s,height:c,depth:1},u,async e=>{let r=a.commands();for(let{y0:i,y1:a,bits:o}of e.strips)for(let[s,l]of o.entries()){let o={y0:n*c+i,y1:n*c+a};Pn(r,t.planes,s,o,l,e.words)}G(r,e),await r.submit()}),d=e=>J(a,a.commands(),l,o,e),f=()=>W(a,l),{count:p,foreground:m,runCount:h}=r;return new Jo(e,Le({planes:l,known:{count:p,foreground:m,runCount:h}},d,f))})}var us,ds,fs;function ps(){return(ps=e((()=>{ze(),Be(),Y(),z(),Yo(),q(),ai(),Ko(),us=3,ds=class{home;labelled;#e;#t;constructor(e,t){this.home=e,this.labelled=t,this.#t=t.planes.depth;let n={level:`centroid`,solid:!0};this.#e=new Re(async r=>({sums:await Fr(e.context,t,n,{...r,signal:void 0}),dispose:()=>{}}))}async regions(e){return(await this.#e.get(e)).sums}release(){this.#t--,this.#t===0&&!this.home.context.device.lost&&this.labelled.free()}},fs=class{width;height;depth=1;count;foreground;runCount;polarities;touching=!1;values=void 0;connectivity;owner;dispose;#e;#t;#n;#r;constructor(e,t,{before:n,count:r,foreground:i,runCount:a}){let{home:o,labelled:s}=e,{planes:c}=s;this.width=c.width,this.height=c.height,this.count=r,this.foreground=i,this.runCount=a,this.polarities=c.strips[0]?.bits.length===2?2:1,this.connectivity=o.connectivity,this.owner=o.owner,this.#e=e,this.#t=o.context,this.#n=n,this.#r=new Re(n=>ls(e,t,this,n)),this.dispose=Fe(()=>{this.#r.dispose(),e.release()})}refuses(e,t,n){let{width:r,height:i,depth:a}=this;return!Uo(this.#t,{width:r,height:i,depth:a,isWhole:!0},e,t,n)}async serve(e,t,n){return e===`regions`&&this.#i(t)?await this.#a(t,n):(await this.#r.get(n)).serve(e,t,n)}#i({level:e,solid:t,intensity:n}){return e!==`shape`&&!t&&!n&&Hr(this.#e.labelled.planes)}async#a({level:e},t){let n=this.#t,{area:r,bounds:i,centroid:a}=await n.guard(()=>n.timed(t,`regions`,0,()=>this.#e.regions(t))),[o,s]=[this.#n,this.count],c={area:r.slice(o,o+s)};if(e===`area`||!i||!a)return c;let l=new Uint32Array(4*s),u=new Float64Array(2*s);for(let e=0;e<s;e++)for(let t=0;t<2;t++)l[4*e+t]=i[6*(o+e)+t],l[4*e+2+t]=i[6*(o+e)+3+t],u[2*e+t]=a[3*(o+e)+t];return e===`bounds`?{...c,bounds:l}:{...c,bounds:l,centroid:u}}async onHost(e){return(await this.#r.get(e)).onHost(e)}async bits(e){return(await this.#r.get(e)).bits()}}})))()}async function ms(e,n,r,i){let{shape:a}=n,{width:o,height:s,channels:c}=a,l=(await t(r.seeds,1,a,Or(e,n,i))).map(p),u=[];try{for(let t=0;t<(r.contiguous?l.length:1);t++){let t=new Et(e),n=[{y0:0,y1:s,buffer:await t.allocate(Math.ceil(o*s/4)*4+4,`differences`),offset:0}];u.push({shape:{...a,channels:1},parts:n,dispose:()=>t.freeAll()})}return await e.timed(i,`differences`,o*s*(c+u.length),async()=>{let t=e.commands();await kt(e,t,n,{y0:0,y1:s},{multiple:4,halo:!1,raw:!0},i,({y0:e,y1:n,...i})=>{let a=(n-e)*o;t.stage(`differences`,a*(c+1));for(let[n,s]of l.entries()){let l=u[r.contiguous?n:0].parts[0].buffer,d={pixels:a,first:i.first,colour:s,to:e*o/4},f={pixels:i.pixels,differences:l},p=n>0&&!r.contiguous;t.dispatch(`wand-differ`,B(Math.ceil(a/hs)),f,d,{CHANNELS:c,LEAST:p})}}),await t.submit()}),u}catch(e){for(let e of u)e.dispose();throw e}}var hs;function gs(){return(gs=e((()=>{d(),H(),z(),kr(),hs=4})))()}async function _s(e,t){let n=await er.open(e);return n instanceof O?n:new bs(new Tt(n,e.profile),t)}function vs(e){let{width:t,height:n,depth:r=1,type:i,channels:a=1,nodata:o}=e;return{width:t,height:n,depth:r,type:i,channels:a,nodata:o}}function ys(e){return e.kind===`mask`?e.bits.byteLength:e.kind===`array`?e.data.byteLength:0}var bs;function xs(){return(xs=e((()=>{ze(),Be(),k(),x(),N(),an(),Y(),z(),nr(),wr(),bi(),Li(),Yo(),Ea(),Xt(),ss(),Ba(),Xa(),q(),fa(),Ko(),Pi(),ps(),gs(),Vo(),bs=class{device=`gpu`;#e;#t;constructor(e,t){this.#e=e,this.#t=t}get lost(){return this.#e.device.lost}describe(){let{gpu:e,adapter:t,bindingBytes:n}=this.#e.device,r=[...e.features].sort(),{usage:i}=this.#e.memory;return{threads:0,shared:!1,memory:i,gpu:{...t,features:r,bindingBytes:n,bufferBytes:e.limits.maxBufferSize}}}async load(e,t){return this.#e.guard(async()=>this.#n(await It(this.#e,e,t)))}adopt(e){return this.#e.guard(async()=>{let t=`texture`in e?Ht(e.texture):vs(e);return{image:this.#n(await Vt(this.#e,e,t)),shape:t}})}#n(e){let t=Fe(()=>{this.lost||e.dispose()});return{...e,owner:this,dispose:t}}read(e,t){return this.#e.guard(()=>Gt(this.#e,e,t))}rows(e,t){return this.#e.guard(()=>Kt(this.#e,e,t))}refuses(e,t){return!Ho(this.#e,e,t)}histogram({pixels:e},t){return this.#e.guard(()=>ba(this.#e,e,t))}components({input:e,rule:t,connectivity:n},r){return this.#e.guard(async()=>{if(S(t))return this.#r(e,t,n,r);let i=await this.#i(e,t,n,r);return new Jo(this.#s(n),Pe(i))})}stack({input:e,rule:t,connectivity:n},r){let i=this.#e;return i.guard(()=>i.timed(r,`components`,ys(e),async()=>{let a=i.commands(),o=await this.#a(a,e,t,r);if(o.strips.length>1)W(i,o);else return cs(this.#s(n),a,o,r)}))}async#r(e,t,n,r){let i=this.#e,a=await i.timed(r,`components`,0,()=>Ha(i,e,t,n,r)),{foreground:o,values:s}=a;return new da(a,{home:this.#s(n),...le(e),foreground:o,values:s})}#i(e,t,n,r){let i=this.#e;return i.timed(r,`components`,ys(e),async()=>{let a=i.commands(),o=await this.#a(a,e,t,r);return J(i,a,o,n,r)})}#a(e,t,n,r){let i=this.#e,a=t.kind===`mask`?t.second?2:1:n.intervals.length;return U(i,le(t),a,a=>{if(t.kind===`mask`)return kn(i,e,t,a);let{local:o}=n;return o?bo(i,t,o,a,r):On(i,e,t,n,a,r)})}fill({pixels:e,plan:t},n){let r=this.#e;return r.guard(async()=>{if(te(t))throw new O(`Expected the same tolerance on both sides for a floating range on the GPU, which joins pixels both ways; open the engine with device "auto" or "cpu" for different sides.`);let{connectivity:i}=t,a=await r.timed(n,`fill`,ys(e),()=>mi(r,e,t,n)),o=e=>J(r,r.commands(),a.planes,i,e),{known:s}=a;if(!s)return new Jo(this.#s(i),Pe(await o(n)));let c=()=>W(r,a.planes);return new Jo(this.#s(i),Le({...a,known:s},o,c))})}distance({input:e,predicate:t,plan:n,into:r},i){let a=this.#e;return a.guard(()=>a.timed(i,`distance`,ys(e),async()=>{let o=await this.#o(e,t,i);try{await ur(a,o,n,r,i)}finally{W(a,o)}}),ir(r))}async#o(e,t,n){let r=this.#e,i=r.commands(),a=await this.#a(i,e,t,n);try{return await i.submit(),a}catch(e){throw W(r,a),e}}async smooth({pixels:e,axes:t},n){let r=this.#e;return this.#n(await r.guard(()=>wi(r,e,t,n)))}async gradient({pixels:e,axes:t},n){let r=this.#e;return this.#n(await r.guard(()=>Ii(r,e,t,n)))}async flatten({pixels:e,plan:t},n){let r=this.#e;return this.#n(await r.guard(()=>yo(r,e,t,n)))}async wandDifferences({pixels:e,plan:t},n){let r=this.#e;return(await r.guard(()=>ms(r,e,t,n))).map(e=>this.#n(e))}async colours(e,t){let n=this.#e,{pixels:r,plan:i}=e,a=await n.guard(()=>Oa(n,r,i,t));return new as(n,a,e,this.#t)}bufferOf(e,t,n){return this.#e.guard(()=>this.#e.bufferOf(e,t,n))}async channel({pixels:e,channel:t},n){let r=this.#e;return this.#n(await r.guard(()=>en(r,e,t,n)))}async stain({pixels:e,plan:t},n){let r=this.#e;return this.#n(await r.guard(()=>tn(r,e,t,n)))}async close(){this.#e.close()}#s(e){return{context:this.#e,owner:this,host:this.#t,connectivity:e}}}})))()}xs();export{_s as openGpu};