* A knapsack whose owner loses two items. The owner packs afterwards and wants the most; the leader,
* who takes the items, wants him to have the least.
NAME interdiction
ROWS
 N value
 L taken
 L weight
 L lost1
 L lost2
 L lost3
 L lost4
COLUMNS
 MARKER 'MARKER' 'INTORG'
 x1 taken 1 lost1 1
 x2 taken 1 lost2 1
 x3 taken 1 lost3 1
 x4 taken 1 lost4 1
 y1 value 7 weight 5
 y1 lost1 1
 y2 value 5 weight 4
 y2 lost2 1
 y3 value 6 weight 6
 y3 lost3 1
 y4 value 3 weight 2
 y4 lost4 1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS taken 2 weight 10
 RHS lost1 1 lost2 1
 RHS lost3 1 lost4 1
BOUNDS
 UP BND x1 1
 UP BND x2 1
 UP BND x3 1
 UP BND x4 1
 UP BND y1 1
 UP BND y2 1
 UP BND y3 1
 UP BND y4 1
ENDATA
